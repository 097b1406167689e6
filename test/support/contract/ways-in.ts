import { InvokeCommand } from '@aws-sdk/client-lambda';
import { createClient, type Client } from '#lib/client/client.ts';
import { httpTransport } from '#lib/client/http.ts';
import { lambdaTransport } from '#lib/client/lambda.ts';
import { parseExact } from '#lib/core/json.ts';
import { startHttpGateway } from '../aws/http-gateway.ts';
import { FUNCTION_PREFIX, startLambdaService, type LambdaService } from '../aws/lambda-service.ts';

/** The packaged functions under AWS's runtime client, and a client for each way in. */
export interface WaysIn {
  readonly overHttp: Client;
  readonly overLambda: Client;
  /** Address of the HTTP API. */
  readonly url: string;
  readonly service: LambdaService;
  stop(): Promise<void>;
}

/** Serves the zips over Lambda Invoke, and over HTTP by a gateway that invokes them with events as API Gateway does. */
export async function startWaysIn(env: Record<string, string>): Promise<WaysIn> {
  const service = await startLambdaService({ CONNECTOR_SECRET_PREFIX: 'test/', ...env });
  const gateway = await startHttpGateway({
    async invoke(name, event) {
      const command = new InvokeCommand({ FunctionName: `${FUNCTION_PREFIX}${name}`, Payload: JSON.stringify(event) });
      const result = await service.client.send(command).catch(() => undefined);
      const ofGateway = (statusCode: number, message: string) => ({ statusCode, body: JSON.stringify({ message }) });
      if (!result) return ofGateway(404, 'Not Found') as never;
      if (result.FunctionError) return ofGateway(500, 'Internal Server Error') as never;
      return parseExact(result.Payload!.transformToString()) as never;
    },
  });
  return {
    overHttp: createClient(httpTransport({ url: gateway.url })),
    overLambda: createClient(lambdaTransport({ functionPrefix: FUNCTION_PREFIX, lambda: service.client })),
    url: gateway.url,
    service,
    async stop() {
      await gateway.close();
      await service.stop();
    },
  };
}
