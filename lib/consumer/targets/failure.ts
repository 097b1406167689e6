import { ConnectorError, type UpstreamError } from '../../core/errors.ts';

/**
 * The meaning of a failure for its entry.
 * - `invalid`: it can never succeed, and never reached the target.
 * - `permanent`: the target refused it, and always will.
 * - `refusal`: the target refused it for a reason that may be the target's own (403, 404, 405): permanent once a later
 *   entry succeeds.
 * - `own`: it may succeed later; the failure counts towards `maxDeliveries`.
 * - `outage`: the target is not available; the entry is not at fault, however long that lasts.
 */
export type FailureKind = 'invalid' | 'permanent' | 'refusal' | 'own' | 'outage';

export interface Failure {
  readonly kind: FailureKind;
  readonly type: string;
  /** What went wrong, without a value of the entry. */
  readonly message: string;
  /** The pause that the target asked for, in milliseconds. */
  readonly retryAfterMs?: number;
  /** What the target found wrong, part by part, without a value of the entry. */
  readonly upstreamErrors?: readonly UpstreamError[];
  /** Whether the target throttles, so that its `retryAfterMs` applies to all calls. Default false. */
  readonly isThrottle?: boolean;
  /** Whether it says nothing about its entry: its batch failed as a whole, or the run gave up. Default false. */
  readonly isInconclusive?: boolean;
}

/** Maximum length of an error type in logs and dead letters: a Lambda's may have any length. */
const MAX_TYPE_LENGTH = 256;

/** Thrown by a target that classifies its failure itself. */
export class TargetFailure extends Error implements Failure {
  override readonly name = 'TargetFailure';
  readonly kind: FailureKind;
  readonly type: string;
  readonly retryAfterMs?: number;
  readonly isThrottle: boolean;

  constructor(
    kind: FailureKind,
    type: string,
    message: string,
    options: { retryAfterMs?: number; isThrottle?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.type = type.slice(0, MAX_TYPE_LENGTH);
    this.retryAfterMs = options.retryAfterMs;
    this.isThrottle = options.isThrottle ?? false;
  }
}

const TOO_MANY = 429;
const REFUSAL_STATUS = new Set([403, 404, 405]);
const OUTAGE_STATUS = new Set([401, 408, 429, 502, 503, 504]);
const CONFLICT = 409;

/** Classifies a target's error. An unknown error counts as the entry's own failure. */
export function classify(error: unknown): Failure {
  if (error instanceof TargetFailure) return error;
  if (!(error instanceof ConnectorError)) {
    const name = error instanceof Error ? error.name : typeof error; // its message may repeat the entry
    return { kind: 'own', type: 'CONNECTOR:INTERNAL', message: `The target failed: ${name}` };
  }
  const { type, message, retryAfterMs, upstreamStatus, upstreamErrors } = error;
  const isThrottle = upstreamStatus === TOO_MANY;
  return { kind: kindOf(error), type, message, retryAfterMs, upstreamErrors, isThrottle };
}

function kindOf({ type, status, upstreamStatus }: ConnectorError): FailureKind {
  switch (type) {
    case 'MDM:TIMEOUT':
    case 'MDM:CONNECTIVITY':
    case 'CONNECTOR:CONFIGURATION':
      return 'outage';
    case 'MDM:CLIENT_ERROR':
      if (OUTAGE_STATUS.has(status)) return 'outage'; // a refused login is a 502: the credentials are at fault
      return upstreamStatus === undefined ? 'invalid' : kindOfStatus(upstreamStatus);
    case 'MDM:SERVER_ERROR':
      return OUTAGE_STATUS.has(upstreamStatus ?? status) ? 'outage' : 'own';
    case 'STREAM:ARGUMENT':
      return 'invalid';
    default:
      return 'own';
  }
}

function kindOfStatus(status: number): FailureKind {
  if (status < 400) return 'own'; // a refusal that came as a success
  if (OUTAGE_STATUS.has(status)) return 'outage';
  if (REFUSAL_STATUS.has(status)) return 'refusal';
  return status === CONFLICT ? 'own' : 'permanent';
}
