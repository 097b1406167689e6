import { ErrorReply } from 'redis';
import { ConnectorError, type ErrorOptions } from '../core/errors.ts';

/** What the first word of a Redis error means; the texts behind it differ by version. */
const CODES: Record<string, Pick<ErrorOptions, 'status' | 'retryable'>> = {
  NOGROUP: { status: 404 },
  UNBLOCKED: { status: 404 }, // the stream that a blocked read waited for was removed
  BUSYGROUP: { status: 409 },
  WRONGPASS: { status: 502, retryable: false },
  NOAUTH: { status: 502, retryable: false },
  NOPERM: { status: 502, retryable: false },
  OOM: { retryable: true },
  READONLY: { retryable: true },
  LOADING: { retryable: true },
  BUSY: { retryable: true },
  MISCONF: { retryable: true },
  NOREPLICAS: { retryable: true },
  MASTERDOWN: { retryable: true },
  CLUSTERDOWN: { retryable: true },
  TRYAGAIN: { retryable: true },
};

/** Refusals whose first word is the general `ERR`. */
const NO_SUCH_KEY = /no such key|requires the key to exist/i;
const BAD_ARGUMENT = /invalid (stream|start|end) id|id specified in xadd|not an integer or out of range/i;
const LOGIN = /^ERR AUTH/i;
const UNKNOWN_COMMAND = /^ERR unknown (sub)?command/i;

const firstWordOf = (message: string) => /^[A-Z]+/.exec(message)?.[0] ?? 'ERR';

/** Whether Redis refused the credentials of the connection. */
export function isRefusedLogin(error: unknown): boolean {
  return error instanceof ConnectorError && (error.upstreamCode === 'WRONGPASS' || error.upstreamCode === 'NOAUTH');
}

/** Whether a new connection may find another server, or another user, than this one did. */
export function isStale(error: ConnectorError): boolean {
  return ['READONLY', 'NOAUTH', 'MASTERDOWN', 'CLUSTERDOWN'].includes(error.upstreamCode ?? '');
}

/** The error of Redis, or of the way to it, as callers see it. */
export function mapRedisError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  if (error instanceof ErrorReply) return mapErrorReply(error);
  const upstreamCode = (error as NodeJS.ErrnoException | undefined)?.code;
  return new ConnectorError('STREAM:COMMAND', 'Redis is out of reach', { status: 503, upstreamCode, cause: error });
}

/** The error for a Redis that does not answer in time. */
export function timeoutError(): ConnectorError {
  return new ConnectorError('STREAM:COMMAND', 'Redis did not answer in time', { status: 504 });
}

function mapErrorReply(cause: ErrorReply): ConnectorError {
  const { message } = cause;
  const upstreamCode = firstWordOf(message);
  if (upstreamCode === 'WRONGTYPE') {
    return new ConnectorError('STREAM:WRONG_TYPE', 'The key does not hold a stream', { upstreamCode, cause });
  }
  if (upstreamCode === 'ERR' && BAD_ARGUMENT.test(message)) {
    return new ConnectorError('STREAM:ARGUMENT', message, { upstreamCode, cause });
  }
  return new ConnectorError('STREAM:COMMAND', describe(message), {
    ...(upstreamCode === 'ERR' ? statusOfErr(message) : CODES[upstreamCode]),
    upstreamCode,
    cause,
  });
}

function statusOfErr(message: string): Pick<ErrorOptions, 'status' | 'retryable'> {
  if (NO_SUCH_KEY.test(message)) return { status: 404 };
  return LOGIN.test(message) ? { status: 502, retryable: false } : {};
}

/** Redis' own words, except where they repeat the arguments of the command. */
function describe(message: string): string {
  return UNKNOWN_COMMAND.test(message) ? 'Redis does not know this command' : message;
}
