/** The environment in which secrets are read at this URL. */
export const environmentAt = (url: string): Record<string, string> => ({
  AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  CONNECTOR_SECRET_PREFIX: 'test/',
});

/** Lets code that runs in the process of a test read its secrets at this URL. */
export function readSecretsAt(url: string): void {
  Object.assign(process.env, environmentAt(url));
}
