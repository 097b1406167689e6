import { startLambda, type Lambda } from '#sandbox/aws/lambda.ts';

/** A container whose configurations are in this Secrets Manager, under `test/`. */
export const startContainer = (secrets: { readonly url: string }, env: Record<string, string> = {}): Promise<Lambda> =>
  startLambda({ env: { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url, ...env } });
