import type { Deployment } from './parameters.ts';

/** Headers that a browser may send to the HTTP API. */
const HEADERS = [
  'content-type',
  'accept',
  'authorization',
  'traceparent',
  'tracestate',
  'x-correlation-id',
  'x-amz-date',
  'x-amz-security-token',
  'x-amz-content-sha256',
];

/** A line of the access log: the call, its caller and its result, without headers and bodies. */
const ACCESS_LOG = {
  time: '$context.requestTime',
  requestId: '$context.requestId',
  extendedRequestId: '$context.extendedRequestId',
  integrationRequestId: '$context.integration.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  sourceIp: '$context.identity.sourceIp',
  callerArn: '$context.identity.userArn', // of a signed request
  callerSub: '$context.authorizer.claims.sub', // of a token
  responseLength: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
  authorizerError: '$context.authorizer.error',
};

/** `provider.httpApi` of serverless.yml. */
export function httpApi({ authorizer, jwtIssuer, jwtAudience, corsOrigins, defaultEndpoint }: Deployment) {
  return {
    payload: '2.0',
    ...(!defaultEndpoint && { disableDefaultEndpoint: true }),
    ...(authorizer === 'jwt' && {
      authorizers: {
        jwt: {
          type: 'jwt',
          identitySource: '$request.header.Authorization',
          issuerUrl: jwtIssuer,
          audience: jwtAudience,
        },
      },
    }),
    ...(corsOrigins && {
      cors: {
        allowedOrigins: corsOrigins,
        allowedMethods: ['GET', 'POST'],
        allowedHeaders: HEADERS,
        exposedResponseHeaders: ['retry-after'],
        maxAge: 3600,
      },
    }),
  };
}

/** `provider.logs.httpApi` of serverless.yml. */
export const accessLogs = { format: JSON.stringify(ACCESS_LOG) };

/** The throttle of the API's stage, for which the framework has no setting. */
export function httpApiExtensions({ throttleRate, throttleBurst }: Deployment) {
  const DefaultRouteSettings = { ThrottlingRateLimit: throttleRate, ThrottlingBurstLimit: throttleBurst };
  return { HttpApiStage: { Properties: { DefaultRouteSettings } } };
}
