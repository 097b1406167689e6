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
import { checkClientCertificate } from './client-certificate.ts';
import { checkMdmUrls, checkRedisUrls } from './config-urls.ts';
import { deployedOperations } from './deployed-operations.ts';
import { configurationError, ConnectorError, type Fault } from '../core/errors.ts';
import { inTime } from '../core/abort.ts';
import type { Deadline } from '../core/deadline.ts';
import { createLog, isLevel, LEVELS, type Log } from '../core/log.ts';
import { Stopwatch } from '../core/stopwatch.ts';
import { CAUSES, describeCause, type CauseName } from '../contract/causes.ts';
import type { Connector } from '../contract/operation.ts';
import { refuse } from '../contract/refusals.ts';
import { validate } from '../contract/validation.ts';

/** The metrics that functions write: none, those of the basic alarms, or all. */
const METRICS = ['off', 'basic', 'full'] as const;
export type MetricsWritten = (typeof METRICS)[number];

const isMetrics = (text: string): text is MetricsWritten => (METRICS as readonly string[]).includes(text);

/** Settings of the function itself, from its environment. Checked once, on first use. */
export interface Environment {
  readonly secretPrefix: string;
  /** How long a secret is kept, in milliseconds. */
  readonly secretTtlMs: number;
  /** Name or ARN of the consumer, which enqueues wake; undefined if nothing should invoke it. */
  readonly consumerFunction: string | undefined;
  /** ARN of the topic or the event bus that is told of dead letters; undefined for none. */
  readonly deadLetterTopic: string | undefined;
  /** Patterns of the operations that the deployment has; `*` stands for any text. */
  readonly operations: readonly string[];
}

let environment: Environment | undefined;

/**
 * Reads the environment: `CONNECTOR_SECRET_PREFIX` (required), `CONNECTOR_SECRET_TTL_MS` (default 300000),
 * `CONNECTOR_CONSUMER_FUNCTION` (default: nothing invokes the consumer), `CONNECTOR_DEAD_LETTER_TOPIC` (default: dead
 * letters send no notice), `CONNECTOR_OPERATIONS` (default `*`). Also checks `LOG_LEVEL` (default info, in either
 * case) and `CONNECTOR_METRICS` (default full), which the log and the metrics read themselves. The log also reads
 * `CONNECTOR_SERVICE`, `CONNECTOR_STAGE` and `CONNECTOR_VERSION`, which stand in each line.
 *
 * @throws {ConnectorError} `CONNECTOR:CONFIGURATION`, which names every invalid variable.
 */
export function readEnvironment(): Environment {
  return (environment ??= parseEnvironment(process.env));
}

export function parseEnvironment(env: Record<string, string | undefined>): Environment {
  const faults: Fault[] = [];
  const ttl = env.CONNECTOR_SECRET_TTL_MS ?? '300000';
  const level = (env.LOG_LEVEL ?? 'info').toLowerCase();
  if (!env.CONNECTOR_SECRET_PREFIX) faults.push({ pointer: 'CONNECTOR_SECRET_PREFIX', message: 'is required' });
  if (!/^\d{1,9}$/.test(ttl))
    faults.push({ pointer: 'CONNECTOR_SECRET_TTL_MS', message: 'must be milliseconds, 1 to 9 digits' });
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
    deadLetterTopic: env.CONNECTOR_DEAD_LETTER_TOPIC || undefined,
    operations: deployedOperations(env),
  };
}

/** X-Ray header of the current invocation. Lambda's runtime sets it for each. */
export const xrayHeader = (): string | undefined => process.env._X_AMZN_TRACE_ID;

let log: Log | undefined;

/** The function's log. With an invalid environment it uses level info, so that configuration errors can be logged. */
export function rootLog(): Log {
  return (log ??= openLog()); // reading process.env costs a microsecond of the ten that the wrapper adds to a call
}

function openLog(): Log {
  const { LOG_LEVEL = '', AWS_LAMBDA_FUNCTION_NAME } = process.env;
  const { CONNECTOR_SERVICE: service, CONNECTOR_STAGE: stage, CONNECTOR_VERSION: version } = process.env;
  const level = LOG_LEVEL.toLowerCase();
  return createLog(isLevel(level) ? level : 'info', { service, stage, version, function: AWS_LAMBDA_FUNCTION_NAME });
}

let written: MetricsWritten | undefined;

/** The metrics that the function writes. With an invalid environment, all. */
export function metricsWritten(): MetricsWritten {
  return (written ??= openMetrics());
}

function openMetrics(): MetricsWritten {
  const { CONNECTOR_METRICS = 'full' } = process.env;
  return isMetrics(CONNECTOR_METRICS) ? CONNECTOR_METRICS : 'full';
}

interface Cached {
  /** Since its reading began. */
  readonly age: Stopwatch;
  /** The age from which on it is read again, in milliseconds. */
  keptMs: number;
  readonly secret: Promise<ConnectorSecret>;
  /** The resolved secret, once it is there. */
  known?: ConnectorSecret;
  /** The previous secret. */
  readonly before?: ConnectorSecret;
}

/** How long a secret is kept beyond its time when Secrets Manager fails. */
const KEPT_IN_OUTAGE_MS = 30_000;
/** Time for reading a secret, over all attempts. */
const READ_TIMEOUT_MS = 5_000;
/** Reads are minutes apart. The network may have forgotten a connection that was kept, and a read would wait for it. */
const ONCE = { keepAlive: false };
/** One attempt, and its time. */
const ATTEMPT = {
  httpAgent: ONCE,
  httpsAgent: ONCE,
  connectionTimeout: 1_000,
  requestTimeout: 2_000,
  throwOnRequestTimeout: true,
};
/** Errors of Secrets Manager that mean that the secret is withdrawn. */
const WITHDRAWN = [ResourceNotFoundException, InvalidRequestException, DecryptionFailure];
/** Another one, for which the SDK has no class. */
const ACCESS_DENIED = 'AccessDeniedException';

const cache = new Map<string, Cached>();
let client: SecretsManagerClient | undefined;

/**
 * The connector configuration of a configRef, kept for `CONNECTOR_SECRET_TTL_MS`. Concurrent callers share one request;
 * a failed one is forgotten. While Secrets Manager fails or is slow, the last configuration stays in use: reading it
 * again may take half of a call's time.
 *
 * @param connector selects the error type for an unknown configRef
 * @param deadline of the call
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` or `STREAM:ARGUMENT` (400) for an unknown configRef,
 *   `CONNECTOR:CONFIGURATION` for a secret that is invalid or cannot be read.
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

/** The same if it is cached, so that a warm call need not wait. */
export function knownConfig(configRef: string): ConnectorSecret | undefined {
  return current(configRef)?.known;
}

/** The same, read again: credentials were refused, so they may have changed. */
export function rereadConfig(configRef: string, connector: Connector): Promise<ConnectorSecret> {
  return readAgain(configRef, connector).secret;
}

function current(configRef: string): Cached | undefined {
  const cached = cache.get(configRef);
  return cached && cached.age.elapsedMs() < cached.keptMs ? cached : undefined;
}

function readAgain(configRef: string, connector: Connector): Cached {
  const last = cache.get(configRef);
  const before = last?.known ?? last?.before;
  const age = new Stopwatch();
  const { secretTtlMs } = readEnvironment();
  const secret = fetchSecret(configRef, connector).then(
    (read) => {
      entry.keptMs = secretTtlMs;
      return read;
    },
    (error: unknown) => {
      if (!before || !isOutage(error)) throw error;
      entry.keptMs = Math.min(secretTtlMs, age.elapsedMs() + KEPT_IN_OUTAGE_MS);
      rootLog().warn('the secret could not be read again; the last configuration stays in use', { configRef });
      return before;
    },
  );
  const entry: Cached = { age, keptMs: READ_TIMEOUT_MS, secret, before };
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

/** The function's AWS credentials and region, to sign tokens for services that the SDK has no call for. */
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
      const { hint } = CAUSES['secret-missing'];
      throw refuse(connector, [{ pointer: '/configRef', message: 'names no connector configuration' }], { hint });
    }
    throw unreadable(configRef, cause);
  }
  return parseSecret(configRef, text);
}

/** Temporary if Secrets Manager is at fault: it throttles, is slow, or is out of reach. */
function unreadable(configRef: string, cause?: unknown): ConnectorError {
  const isDenied = cause instanceof SecretsManagerServiceException && cause.name === ACCESS_DENIED;
  const temporary = !isDenied && !WITHDRAWN.some((withdrawn) => cause instanceof withdrawn);
  const error = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.name) : 'no answer in time';
  const { detail, hint } = describeCause(causeOf(cause, isDenied), { configRef, error });
  return new ConnectorError('CONNECTOR:CONFIGURATION', detail, { cause, temporary, hint });
}

function causeOf(cause: unknown, isDenied: boolean): CauseName {
  if (!(cause instanceof SecretsManagerServiceException)) return 'secret-unreachable';
  if (cause instanceof DecryptionFailure || /kms/i.test(cause.message)) return 'secret-key';
  if (cause instanceof InvalidRequestException) return 'secret-withdrawn';
  return isDenied ? 'secret-denied' : 'secret-throttled';
}

const isOutage = (error: unknown) => error instanceof ConnectorError && error.temporary;

function parseSecret(configRef: string, text = ''): ConnectorSecret {
  let secret: unknown;
  try {
    secret = parseSecretText(text);
  } catch {
    const { detail, hint } = describeCause(text.trim() === '' ? 'secret-empty' : 'secret-not-json', { configRef });
    throw new ConnectorError('CONNECTOR:CONFIGURATION', detail, { hint });
  }
  const faults = faultsOfSecret(secret);
  if (faults.length > 0) {
    throw configurationError(`The secret of configRef ${configRef}`, faults);
  }
  return secret as ConnectorSecret;
}

/** The JSON of a secret. Some editors write a byte order mark before it. */
export function parseSecretText(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}

/** Every fault of a secret, without values. Fills in defaults. */
export function faultsOfSecret(secret: unknown): Fault[] {
  const { mdm, redis } = (secret ?? {}) as { mdm?: unknown; redis?: unknown };
  return [
    ...validate(ConnectorSecret, secret),
    ...checkMdmUrls(mdm),
    ...checkClientCertificate(mdm),
    ...checkRedisUrls(redis),
  ];
}
