import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Settings of a client of the AWS SDK, all from the environment: what is left open here the SDK would look up in the files
 * of profiles, which a function has not. Credentials that bring their end (`AWS_CREDENTIAL_EXPIRATION`) are read again
 * five minutes before.
 *
 * @param service as its variable `AWS_ENDPOINT_URL_<service>` names it
 * @example
 * const client = new LambdaClient({ ...awsSettings('LAMBDA'), maxAttempts: 1 });
 */
export function awsSettings(service: 'LAMBDA' | 'SECRETS_MANAGER') {
  const { env } = process;
  return {
    credentials: fromEnv(),
    region: env.AWS_REGION,
    endpoint: env[`AWS_ENDPOINT_URL_${service}`] || env.AWS_ENDPOINT_URL || undefined,
    ignoreConfiguredEndpointUrls: true, // of profiles: those of the environment are given
    useFipsEndpoint: env.AWS_USE_FIPS_ENDPOINT === 'true',
    useDualstackEndpoint: env.AWS_USE_DUALSTACK_ENDPOINT === 'true',
    userAgentAppId: env.AWS_SDK_UA_APP_ID ?? '',
    authSchemePreference: [] as string[],
    defaultsMode: 'legacy',
    maxAttempts: 3,
    retryMode: 'standard',
  } as const;
}
