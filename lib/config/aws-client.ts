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

/** Names of services in variables, where they differ from those in ARNs. */
const VARIABLES: Record<string, string> = { events: 'EVENTBRIDGE' };

/**
 * The address of a service that is called without an SDK client, by its name in ARNs: `sns`, `events`. Honours the
 * variables that the SDK honours.
 */
export function endpointOf(service: string, region: string): string {
  const { env } = process;
  const configured = env[`AWS_ENDPOINT_URL_${VARIABLES[service] ?? service.toUpperCase()}`] || env.AWS_ENDPOINT_URL;
  if (configured) return configured;
  const fips = env.AWS_USE_FIPS_ENDPOINT === 'true' && !region.startsWith('us-gov-') ? '-fips' : '';
  return `https://${service}${fips}.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`;
}
