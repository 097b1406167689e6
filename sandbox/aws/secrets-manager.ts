import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../network/listen.ts';

export interface SecretsManager {
  /** For `AWS_ENDPOINT_URL_SECRETS_MANAGER`. */
  readonly url: string;
  readonly reads: number;
  /** Sets a secret: an object as JSON, a string unchanged. */
  set(name: string, secret: unknown): void;
  /** Makes every read fail with this AWS error type, or none; `message` is AWS' own. */
  failWith(errorType: string | undefined, message?: string): void;
  close(): Promise<void>;
}

const MESSAGE = 'Secrets Manager cannot find or give the secret.';

/**
 * A Secrets Manager endpoint on loopback for the real SDK, with `GetSecretValue`.
 *
 * @example
 * const secrets = await startSecretsManager({ 'mdm-stream/default': { redis: { url: 'redis://127.0.0.1:6379' } } });
 */
export async function startSecretsManager(initial: Record<string, unknown> = {}): Promise<SecretsManager> {
  const secrets = new Map(Object.entries(initial));
  let reads = 0;
  let failure: string | undefined;
  let failureMessage = MESSAGE;

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      reads++;
      const { SecretId } = JSON.parse(body || '{}') as { SecretId?: string };
      const secret = secrets.get(SecretId ?? '');
      const isRead = request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue';
      const errorType =
        failure ??
        (isRead ? (secret === undefined ? 'ResourceNotFoundException' : undefined) : 'InvalidRequestException');
      response.writeHead(errorType ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(
        JSON.stringify(
          errorType
            ? { __type: errorType, Message: failureMessage }
            : {
                Name: SecretId,
                VersionId: '1',
                SecretString: typeof secret === 'string' ? secret : JSON.stringify(secret),
              },
        ),
      );
    });
  });
  const { url, close } = await listen(server);
  return {
    url,
    get reads() {
      return reads;
    },
    set: (name, secret) => void secrets.set(name, secret),
    failWith(errorType, message = MESSAGE) {
      failure = errorType;
      failureMessage = message;
    },
    close,
  };
}
