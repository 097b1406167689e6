import {
  DecryptionFailure,
  GetSecretValueCommand,
  InvalidRequestException,
  ResourceNotFoundException,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';
import { awsSettings } from './aws-client.ts';
import { ConnectorSecret } from './config.schema.ts';
import { checkMdmUrls } from './config-urls.ts';
import { configurationError, ConnectorError, type Fault } from '../core/errors.ts';
import { inTime } from '../core/abort.ts';
import type { Deadline } from '../core/deadline.ts';
import { createLog, isLevel, LEVELS, type Log } from '../core/log.ts';
import { refuse, type Connector } from '../contract/connector.ts';
import { validate } from '../contract/validation.ts';

/** Which metrics functions write: none, those that a few alarms need, or all. */
const METRICS = ['off', 'basic', 'full'] as const;
export type MetricsWritten = (typeof METRICS)[number];

const isMetrics = (text: string): text is MetricsWritten => (METRICS as readonly string[]).includes(text);

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
 * case) and `CONNECTOR_METRICS` (default full) too, which the log and the metrics read for themselves.
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
  if (!isMetrics(env.CONNECTOR_METRICS ?? 'full')) {
    faults.push({ pointer: 'CONNECTOR_METRICS', message: `must be one of ${METRICS.join(', ')}` });
  }
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

let written: MetricsWritten | undefined;

/** Which metrics the function writes. Falls back to all where the environment does not fit, as the log does. */
export function metricsWritten(): MetricsWritten {
  return (written ??= openMetrics());
}

function openMetrics(): MetricsWritten {
  const { CONNECTOR_METRICS = 'full' } = process.env;
  return isMetrics(CONNECTOR_METRICS) ? CONNECTOR_METRICS : 'full';
}

interface Cached {
  /** When it is read again, on the monotonic clock. */
  expiresAt: number;
  readonly secret: Promise<ConnectorSecret>;
  /** The same, once it is there. */
  known?: ConnectorSecret;
  /** What was read before. */
  readonly before?: ConnectorSecret;
}

/** How long a secret is kept beyond its time where Secrets Manager fails to give it again. */
const KEPT_IN_OUTAGE_MS = 30_000;
/** How long reading a secret may take, with all attempts. */
const READ_TIMEOUT_MS = 5_000;
/** What one attempt may take. */
const ATTEMPT = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };
/** Errors by which Secrets Manager says that nobody may have the secret any more. */
const WITHDRAWN = [ResourceNotFoundException, InvalidRequestException, DecryptionFailure];
/** One more, for which the SDK has no class but its name. */
const ACCESS_DENIED = 'AccessDeniedException';

const cache = new Map<string, Cached>();
let client: SecretsManagerClient | undefined;

/**
 * The connector configuration of a configRef, kept for `CONNECTOR_SECRET_TTL_MS`. Callers at the same time share one
 * request; a failed one is forgotten. While Secrets Manager fails or is slow, the configuration read last stays in use: of the
 * time that a call has, half is for reading it again.
 *
 * @param connector selects the error type for an unknown configRef
 * @param deadline of the call
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` or `STREAM:ARGUMENT` (400) for an unknown configRef,
 *   `CONNECTOR:CONFIGURATION` for a secret that does not fit or cannot be read.
 */
export async function readConfig(
  configRef: string,
  connector: Connector,
  deadline?: Deadline,
): Promise<ConnectorSecret> {
  const { known, before, secret } = current(configRef) ?? readAgain(configRef, connector);
  if (known) return known;
  const leftMs = deadline?.remainingMs() ?? Infinity;
  return inTime(
    { ms: Math.min(before ? leftMs / 2 : leftMs, READ_TIMEOUT_MS) },
    () => secret,
    () => unreadable(configRef),
  ).catch((error: unknown) => {
    if (before && isOutage(error)) return before;
    throw error;
  });
}

/** The same where it is at hand: a warm call need not wait. */
export function knownConfig(configRef: string): ConnectorSecret | undefined {
  return current(configRef)?.known;
}

/** The same, read anew: credentials were refused, so they may have been changed. */
export function rereadConfig(configRef: string, connector: Connector): Promise<ConnectorSecret> {
  return readAgain(configRef, connector).secret;
}

function current(configRef: string): Cached | undefined {
  const cached = cache.get(configRef);
  return cached && cached.expiresAt > performance.now() ? cached : undefined;
}

function readAgain(configRef: string, connector: Connector): Cached {
  const last = cache.get(configRef);
  const before = last?.known ?? last?.before;
  const startedAt = performance.now();
  const { secretTtlMs } = readEnvironment();
  const secret = fetchSecret(configRef, connector).then(
    (read) => {
      entry.expiresAt = startedAt + secretTtlMs;
      return read;
    },
    (error: unknown) => {
      if (!before || !isOutage(error)) throw error;
      entry.expiresAt = Math.min(startedAt + secretTtlMs, performance.now() + KEPT_IN_OUTAGE_MS);
      rootLog().warn('the secret could not be read again; the configuration read last stays in use', { configRef });
      return before;
    },
  );
  const entry: Cached = { expiresAt: startedAt + READ_TIMEOUT_MS, secret, before };
  cache.set(configRef, entry);
  secret.then(
    (known) => (entry.known = known),
    () => cache.get(configRef) === entry && cache.delete(configRef),
  );
  return entry;
}

/** Drops a configuration, so that the next call reads its secret again. */
export function forgetConfig(configRef: string): void {
  cache.delete(configRef);
}

const secretsManager = () =>
  (client ??= new SecretsManagerClient({ ...awsSettings('SECRETS_MANAGER'), maxAttempts: 2, requestHandler: ATTEMPT }));

/** Who the function is to AWS, and where: what signs a token for a service that the SDK has no call for. */
export const awsIdentity = () => secretsManager().config;

async function fetchSecret(configRef: string, connector: Connector): Promise<ConnectorSecret> {
  const name = readEnvironment().secretPrefix + configRef;
  const read = (abortSignal: AbortSignal) =>
    secretsManager().send(new GetSecretValueCommand({ SecretId: name }), { abortSignal });
  let text: string | undefined;
  try {
    text = (await inTime({ ms: READ_TIMEOUT_MS }, read, () => new Error('No response in time'))).SecretString;
  } catch (cause) {
    if (cause instanceof ResourceNotFoundException) {
      throw refuse(connector, [{ pointer: '/configRef', message: 'names no connector configuration' }]);
    }
    throw unreadable(configRef, cause);
  }
  return parseSecret(configRef, text);
}

/** Retryable where Secrets Manager failed, rather than the secret: it throttles, is slow, or is out of reach. */
function unreadable(configRef: string, cause?: unknown): ConnectorError {
  const isDenied = cause instanceof SecretsManagerServiceException && cause.name === ACCESS_DENIED;
  const retryable = !isDenied && !WITHDRAWN.some((withdrawn) => cause instanceof withdrawn);
  const message = `The secret of configRef ${configRef} cannot be read`;
  return new ConnectorError('CONNECTOR:CONFIGURATION', message, { cause, retryable });
}

const isOutage = (error: unknown) => error instanceof ConnectorError && error.retryable;

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
