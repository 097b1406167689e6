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

/** What a request names. */
interface Asked {
  readonly SecretId?: string;
  readonly Name?: string;
  readonly SecretString?: string;
}

/** What it is answered with: an error of AWS, or a secret. */
interface Answer {
  readonly errorType?: string;
  readonly Name?: string;
  readonly SecretString?: string;
}

const MESSAGE = 'Secrets Manager cannot find or give the secret.';

/**
 * A Secrets Manager endpoint on loopback for the real SDK, with `GetSecretValue`, `CreateSecret` and `PutSecretValue`.
 *
 * @example
 * const secrets = await startSecretsManager({ 'mdm-stream/default': { redis: { url: 'redis://127.0.0.1:6379' } } });
 */
export async function startSecretsManager(initial: Record<string, unknown> = {}): Promise<SecretsManager> {
  const secrets = new Map(Object.entries(initial));
  let reads = 0;
  let failure: string | undefined;
  let failureMessage = MESSAGE;

  const actions: Record<string, (asked: Asked) => Answer> = {
    GetSecretValue({ SecretId = '' }) {
      reads++;
      if (failure) return { errorType: failure };
      const secret = secrets.get(SecretId);
      if (secret === undefined) return { errorType: 'ResourceNotFoundException' };
      return { Name: SecretId, SecretString: typeof secret === 'string' ? secret : JSON.stringify(secret) };
    },
    CreateSecret({ Name = '', SecretString }) {
      if (secrets.has(Name)) return { errorType: 'ResourceExistsException' };
      secrets.set(Name, SecretString);
      return { Name };
    },
    PutSecretValue({ SecretId = '', SecretString }) {
      if (!secrets.has(SecretId)) return { errorType: 'ResourceNotFoundException' };
      secrets.set(SecretId, SecretString);
      return { Name: SecretId };
    },
  };

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const [, name = ''] = String(request.headers['x-amz-target']).split('.');
      const action = actions[name] ?? (() => ({ errorType: 'InvalidRequestException' }));
      const { errorType, ...found } = action(JSON.parse(body || '{}') as Asked);
      response.writeHead(errorType ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(
        JSON.stringify(errorType ? { __type: errorType, Message: failureMessage } : { ...found, VersionId: '1' }),
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
