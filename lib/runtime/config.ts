import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ConnectorSecret } from './config.schema.ts';
import { checkMdmUrls } from './config-urls.ts';
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
  /** Name or ARN of the consumer, which enqueues wake; undefined where nothing is to invoke it. */
  readonly consumerFunction: string | undefined;
}

let environment: Environment | undefined;

/**
 * Reads the environment: `CONNECTOR_SECRET_PREFIX` (required), `CONNECTOR_SECRET_TTL_MS` (default 300000),
 * `CONNECTOR_CONSUMER_FUNCTION` (default: nothing invokes the consumer); checks `LOG_LEVEL` (default info, in either
 * case) too, which the log reads for itself.
 *
 * @throws {ConnectorError} `CONNECTOR:CONFIGURATION`, which names every variable that does not fit.
 */
export function readEnvironment(): Environment {
  return (environment ??= parseEnvironment(process.env));
}

export function parseEnvironment(env: Record<string, string | undefined>): Environment {
  const faults: Fault[] = [];
  const ttl = env.CONNECTOR_SECRET_TTL_MS ?? '300000';
  const level = (env.LOG_LEVEL ?? 'info').toLowerCase();
  if (!env.CONNECTOR_SECRET_PREFIX) faults.push({ pointer: 'CONNECTOR_SECRET_PREFIX', message: 'is required' });
  if (!/^\d{1,9}$/.test(ttl)) faults.push({ pointer: 'CONNECTOR_SECRET_TTL_MS', message: 'must be milliseconds' });
  if (!isLevel(level)) faults.push({ pointer: 'LOG_LEVEL', message: `must be one of ${LEVELS.join(', ')}` });
  if (faults.length > 0) {
    throw configurationError('The environment', faults);
  }
  return {
    secretPrefix: env.CONNECTOR_SECRET_PREFIX!,
    secretTtlMs: Number(ttl),
    consumerFunction: env.CONNECTOR_CONSUMER_FUNCTION || undefined,
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
  const level = LOG_LEVEL.toLowerCase();
  return createLog(isLevel(level) ? level : 'info', { function: AWS_LAMBDA_FUNCTION_NAME });
}

interface Cached {
  expiresAt: number;
  readonly secret: Promise<ConnectorSecret>;
  /** The same, once it is there. */
  known?: ConnectorSecret;
}

/** How long a secret is kept beyond its time where Secrets Manager fails to give it again. */
const KEPT_IN_OUTAGE_MS = 30_000;
/** Errors by which Secrets Manager says that nobody may have the secret any more. */
const WITHDRAWN = /^(ResourceNotFound|AccessDenied|InvalidRequest|DecryptionFailure)/;

const cache = new Map<string, Cached>();
let client: SecretsManagerClient | undefined;

/**
 * The connector configuration of a configRef, kept for `CONNECTOR_SECRET_TTL_MS`. Callers at the same time share one
 * request; a failed one is forgotten. While Secrets Manager is out of order, the configuration read last stays in use.
 *
 * @param connector selects the error type for an unknown configRef
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` or `STREAM:ARGUMENT` (400) for an unknown configRef,
 *   `CONNECTOR:CONFIGURATION` for a secret that does not fit or cannot be read.
 */
export function readConfig(configRef: string, connector: Connector): Promise<ConnectorSecret> {
  return current(configRef)?.secret ?? rereadConfig(configRef, connector);
}

/** The same where it is at hand: a warm call need not wait. */
export function knownConfig(configRef: string): ConnectorSecret | undefined {
  return current(configRef)?.known;
}

function current(configRef: string): Cached | undefined {
  const cached = cache.get(configRef);
  return cached && cached.expiresAt > performance.now() ? cached : undefined;
}

/** The same, read anew: credentials were refused, so they may have been changed. */
export function rereadConfig(configRef: string, connector: Connector): Promise<ConnectorSecret> {
  const known = cache.get(configRef);
  const expiresAt = performance.now() + readEnvironment().secretTtlMs;
  const secret = fetchSecret(configRef, connector).catch((error: unknown) => {
    if (!known || !isOutage(error)) throw error;
    entry.expiresAt = Math.min(entry.expiresAt, performance.now() + KEPT_IN_OUTAGE_MS);
    rootLog().warn('the secret could not be read again; the configuration read last stays in use', { configRef });
    return known.secret;
  });
  const entry: Cached = { expiresAt, secret };
  cache.set(configRef, entry);
  secret.then(
    (known) => (entry.known = known),
    () => cache.get(configRef) === entry && cache.delete(configRef),
  );
  return secret;
}

/** Drops a configuration, so that the next call reads its secret again. */
export function forgetConfig(configRef: string): void {
  cache.delete(configRef);
}

const secretsManager = () => (client ??= new SecretsManagerClient({}));

/** Who the function is to AWS, and where: what signs a token for a service that the SDK has no call for. */
export const awsIdentity = () => secretsManager().config;

async function fetchSecret(configRef: string, connector: Connector): Promise<ConnectorSecret> {
  const name = readEnvironment().secretPrefix + configRef;
  let text: string | undefined;
  try {
    text = (await secretsManager().send(new GetSecretValueCommand({ SecretId: name }))).SecretString;
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

/** Whether it is Secrets Manager that failed, rather than the secret. */
function isOutage(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error && !WITHDRAWN.test(cause.name);
}

function parseSecret(configRef: string, text = ''): ConnectorSecret {
  let secret: unknown;
  try {
    secret = JSON.parse(text);
  } catch {
    throw new ConnectorError('CONNECTOR:CONFIGURATION', `The secret of configRef ${configRef} is not JSON`);
  }
  const faults = faultsOfSecret(secret);
  if (faults.length > 0) {
    throw configurationError(`The secret of configRef ${configRef}`, faults);
  }
  return secret as ConnectorSecret;
}

/** Every fault of a secret, none with a value of it. Fills in the defaults of what it leaves out. */
export function faultsOfSecret(secret: unknown): Fault[] {
  return [...validate(ConnectorSecret, secret), ...checkMdmUrls((secret as { mdm?: unknown } | null)?.mdm)];
}
