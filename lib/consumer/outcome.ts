import { ConnectorError } from '../core/errors.ts';

/**
 * What a failure says about its entry.
 * - `permanent`: it can never succeed.
 * - `counted`: it may succeed later, but not for ever: it counts towards `maxDeliveries`.
 * - `outage`: its target is not there; the entry is not at fault, however long that takes.
 */
export type FailureKind = 'permanent' | 'counted' | 'outage';

export interface Failure {
  readonly kind: FailureKind;
  readonly type: string;
  /** What went wrong, without a value of the entry. */
  readonly message: string;
  /** How long the target asked to be left alone, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** What a target throws to say itself what its failure means. */
export class TargetFailure extends Error implements Failure {
  override readonly name = 'TargetFailure';
  readonly kind: FailureKind;
  readonly type: string;
  readonly retryAfterMs?: number;

  constructor(
    kind: FailureKind,
    type: string,
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.type = type;
    this.retryAfterMs = options.retryAfterMs;
  }
}

const OUTAGE_STATUS = new Set([401, 408, 429, 502, 503, 504]);
const CONFLICT = 409;

/** A failure of a target, told apart. What says nothing of itself is the target's own fault, and counts. */
export function classify(error: unknown): Failure {
  if (error instanceof TargetFailure) return error;
  if (!(error instanceof ConnectorError)) {
    const name = error instanceof Error ? error.name : typeof error; // its message may repeat the entry
    return { kind: 'counted', type: 'CONNECTOR:INTERNAL', message: `The target failed: ${name}` };
  }
  const { type, message, retryAfterMs } = error;
  return { kind: kindOf(error), type, message, retryAfterMs };
}

function kindOf({ type, status, upstreamStatus = status }: ConnectorError): FailureKind {
  switch (type) {
    case 'MDM:TIMEOUT':
    case 'MDM:CONNECTIVITY':
    case 'CONNECTOR:CONFIGURATION':
      return 'outage';
    case 'MDM:CLIENT_ERROR':
      // a refused login is answered 502: the credentials are at fault, not the entry
      if (OUTAGE_STATUS.has(status) || OUTAGE_STATUS.has(upstreamStatus)) return 'outage';
      return upstreamStatus === CONFLICT ? 'counted' : 'permanent';
    case 'MDM:SERVER_ERROR':
      return OUTAGE_STATUS.has(upstreamStatus) ? 'outage' : 'counted';
    case 'STREAM:ARGUMENT':
      return 'permanent';
    default:
      return 'counted';
  }
}
