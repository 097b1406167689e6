import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ConnectorSecret } from './config.schema.ts';
import { configurationError, ConnectorError, type Fault } from '../core/errors.ts';
import { createLog, isLevel, LEVELS, type Log } from '../core/log.ts';
import { refuse, type Connector } from '../contract/connector.ts';
import { validate } from '../contract/validation.ts';

/** Settings of the function itself, from its environment. Checked once, when the first is needed. */
export interface Environment {
  /** What secret names begin with. */
  readonly secretPrefix: string;
  /** How long a secret is kept, in milliseconds. */
  readonly secretTtlMs: number;
}

let environment: Environment | undefined;

/**
 * Reads the environment: `CONNECTOR_SECRET_PREFIX` (required), `CONNECTOR_SECRET_TTL_MS` (default 300000);
 * checks `LOG_LEVEL` (default info) too, which the log reads for itself.
 *
 * @throws {ConnectorError} `CONNECTOR:CONFIGURATION`, which names every variable that does not fit.
 */
export function readEnvironment(): Environment {
  return (environment ??= parseEnvironment(process.env));
}

export function parseEnvironment(env: Record<string, string | undefined>): Environment {
  const faults: Fault[] = [];
  const ttl = env.CONNECTOR_SECRET_TTL_MS ?? '300000';
  const level = env.LOG_LEVEL ?? 'info';
  if (!env.CONNECTOR_SECRET_PREFIX) faults.push({ pointer: 'CONNECTOR_SECRET_PREFIX', message: 'is required' });
  if (!/^\d{1,9}$/.test(ttl)) faults.push({ pointer: 'CONNECTOR_SECRET_TTL_MS', message: 'must be milliseconds' });
  if (!isLevel(level)) faults.push({ pointer: 'LOG_LEVEL', message: `must be one of ${LEVELS.join(', ')}` });
  if (faults.length > 0) {
    throw configurationError('The environment', faults);
  }
  return {
    secretPrefix: env.CONNECTOR_SECRET_PREFIX!,
    secretTtlMs: Number(ttl),
  };
}

/** Header of X-Ray for the invocation that runs; Lambda's runtime sets it anew for each. */
export const xrayHeader = (): string | undefined => process.env._X_AMZN_TRACE_ID;

let log: Log | undefined;

/** The function's log. Falls back to level info where the environment does not fit, so that configuration errors can be logged. */
export function rootLog(): Log {
  return (log ??= openLog()); // reading process.env costs a microsecond, of the ten that the wrapper adds to a call
}

function openLog(): Log {
  const { LOG_LEVEL = '', AWS_LAMBDA_FUNCTION_NAME } = process.env;
  return createLog(isLevel(LOG_LEVEL) ? LOG_LEVEL : 'info', { function: AWS_LAMBDA_FUNCTION_NAME });
}

interface Cached {
  readonly expiresAt: number;
  readonly secret: Promise<ConnectorSecret>;
}

const cache = new Map<string, Cached>();
let client: SecretsManagerClient | undefined;

/**
 * The connector configuration of a configRef, kept for `CONNECTOR_SECRET_TTL_MS`. Callers at the same time share one
 * request; a failed one is forgotten.
 *
 * @param connector selects the error type for an unknown configRef
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` or `STREAM:ARGUMENT` (400) for an unknown configRef,
 *   `CONNECTOR:CONFIGURATION` for a secret that does not fit or cannot be read.
 */
export function readConfig(configRef: string, connector: Connector): Promise<ConnectorSecret> {
  const known = cache.get(configRef);
  if (known && known.expiresAt > performance.now()) return known.secret;
  const secret = fetchSecret(configRef, connector);
  const entry = { expiresAt: performance.now() + readEnvironment().secretTtlMs, secret };
  cache.set(configRef, entry);
  secret.catch(() => {
    if (cache.get(configRef) === entry) cache.delete(configRef);
  });
  return secret;
}

/** Drops a configuration, so that the next call reads its secret again: its credentials were refused. */
export function forgetConfig(configRef: string): void {
  cache.delete(configRef);
}

async function fetchSecret(configRef: string, connector: Connector): Promise<ConnectorSecret> {
  const name = readEnvironment().secretPrefix + configRef;
  client ??= new SecretsManagerClient({});
  let text: string | undefined;
  try {
    text = (await client.send(new GetSecretValueCommand({ SecretId: name }))).SecretString;
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'ResourceNotFoundException') {
      throw refuse(connector, [{ pointer: '/configRef', message: 'names no connector configuration' }]);
    }
    throw new ConnectorError('CONNECTOR:CONFIGURATION', `The secret of configRef ${configRef} cannot be read`, {
      cause,
    });
  }
  return parseSecret(configRef, text);
}

function parseSecret(configRef: string, text = ''): ConnectorSecret {
  let secret: unknown;
  try {
    secret = JSON.parse(text);
  } catch {
    throw new ConnectorError('CONNECTOR:CONFIGURATION', `The secret of configRef ${configRef} is not JSON`);
  }
  const faults = validate(ConnectorSecret, secret);
  if (faults.length > 0) {
    throw configurationError(`The secret of configRef ${configRef}`, faults);
  }
  return secret as ConnectorSecret;
}
