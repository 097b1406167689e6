import type { ErrorType, Fault, Outcome, UpstreamError } from '../core/errors.ts';
import type { Problem } from '../core/problem.ts';

/**
 * The type of an operation's error, or `CLIENT:TRANSPORT` if no operation responded (network, signature, throttling,
 * unknown function or route, a response that is not JSON).
 */
export type OperationErrorType = ErrorType | 'CLIENT:TRANSPORT';

export interface OperationErrorFields extends Partial<Omit<Problem, 'type' | 'title' | 'detail' | 'errors'>> {
  /** HTTP status; 503 without a response. */
  status: number;
  /** Whether the condition may pass. After an unknown outcome, the client retries idempotent calls only. */
  retryable: boolean;
  /** What the call did. Default: `unknown`. */
  outcome?: Outcome;
  /** Every fault of the input. */
  faults?: readonly Fault[];
  cause?: unknown;
}

/**
 * The error of a failed call, with the same fields over HTTP and over Lambda Invoke. An aborted call rejects with the
 * reason of its signal instead.
 *
 * @example
 * try {
 *   await client.invoke('mdm-master-read', { businessEntity: 'c360.city', businessId: 'MDM1' });
 * } catch (error) {
 *   if (error instanceof OperationError && error.status === 404) return undefined;
 *   throw error;
 * }
 */
export class OperationError extends Error {
  readonly type: OperationErrorType;
  /** The operation that was called, `stream-xadd`. */
  readonly operation: string;
  /** HTTP status; 503 without a response. */
  readonly status: number;
  /** Whether the same call may succeed later, and can do no harm. */
  readonly retryable: boolean;
  /** What the call did: nothing (`not-sent`, `refused`), or perhaps everything (`unknown`). */
  readonly outcome: Outcome;
  /** What most likely repairs it, for a person. */
  readonly hint?: string;
  /** How long to wait first, in milliseconds, if the other side asked for it. */
  readonly retryAfterMs?: number;
  /** Finds the call in the log. */
  readonly requestId?: string;
  /** HTTP status that the master data API returned. */
  readonly upstreamStatus?: number;
  /** The API's error code, the code of a connection fault, or the first word of a Redis error. */
  readonly upstreamCode?: string;
  /** What the API found wrong, part by part. */
  readonly upstreamErrors: readonly UpstreamError[];
  /** The upstream's request id, for its support team. */
  readonly upstreamRequestId?: string;
  /** Every fault of the input, with a JSON Pointer and a message. */
  readonly faults: readonly Fault[];

  constructor(operation: string, type: OperationErrorType, message: string, fields: OperationErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'OperationError';
    this.operation = operation;
    this.type = type;
    this.status = fields.status;
    this.retryable = fields.retryable;
    this.outcome = fields.outcome ?? 'unknown';
    this.hint = fields.hint;
    this.retryAfterMs = fields.retryAfterMs;
    this.requestId = fields.requestId;
    this.upstreamStatus = fields.upstreamStatus;
    this.upstreamCode = fields.upstreamCode;
    this.upstreamErrors = fields.upstreamErrors ?? [];
    this.upstreamRequestId = fields.upstreamRequestId;
    this.faults = fields.faults ?? [];
  }
}

/** The error of an operation that reported a problem. */
export function operationError(operation: string, problem: Problem): OperationError {
  const { type, detail, errors, title: _title, ...fields } = problem;
  return new OperationError(operation, type, detail, { ...fields, faults: errors });
}

/** The error of a call that no operation responded to. */
export function transportError(operation: string, message: string, fields: OperationErrorFields): OperationError {
  return new OperationError(operation, 'CLIENT:TRANSPORT', message, fields);
}

/** The error of a function without a result: it crashed, or ran out of time or memory. */
export function brokenFunction(operation: string, message: string, requestId?: string): OperationError {
  return new OperationError(operation, 'CONNECTOR:INTERNAL', message, { status: 500, retryable: false, requestId });
}
