import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Settings of an AWS SDK client, all from the environment: the SDK would look for missing ones in profiles, which a
 * function does not have. Credentials with an expiry (`AWS_CREDENTIAL_EXPIRATION`) are read again five minutes before
 * it.
 *
 * @param service as in the variable `AWS_ENDPOINT_URL_<service>`
 * @example
 * const client = new LambdaClient({ ...awsSettings('LAMBDA'), maxAttempts: 1 });
 */
export function awsSettings(service: 'LAMBDA' | 'SECRETS_MANAGER') {
  const { env } = process;
  return {
    credentials: fromEnv(),
    region: env.AWS_REGION,
    endpoint: env[`AWS_ENDPOINT_URL_${service}`] || env.AWS_ENDPOINT_URL || undefined,
    ignoreConfiguredEndpointUrls: true, // those of profiles
    useFipsEndpoint: env.AWS_USE_FIPS_ENDPOINT === 'true',
    useDualstackEndpoint: env.AWS_USE_DUALSTACK_ENDPOINT === 'true',
    userAgentAppId: env.AWS_SDK_UA_APP_ID ?? '',
    authSchemePreference: [] as string[],
    defaultsMode: 'legacy',
    maxAttempts: 3,
    retryMode: 'standard',
  } as const;
}
