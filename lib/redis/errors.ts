import { ClientClosedError, ClientOfflineError, ErrorReply, MultiErrorReply } from 'redis';
import { ConnectorError, type ErrorOptions, type Outcome } from '../core/errors.ts';
import { CAUSES, describeCause, type CauseName } from '../contract/causes.ts';
import { lacking } from './capability.ts';
import type { Command, Lua } from './redis.ts';
import { addressOf, brokenConnection, type Peer } from './unreached.ts';

type Meaning = Pick<ErrorOptions, 'status' | 'temporary' | 'hint'>;

/** Redis accepts no such command in its present state. It did nothing, and the server is at fault, not the call. */
const outOfService = (cause: CauseName): Meaning => ({ status: 503, hint: CAUSES[cause].hint });
const refusesUser = (cause: CauseName): Meaning => ({ status: 502, temporary: false, hint: CAUSES[cause].hint });

/** The meaning of a Redis error's first word; the rest of its text differs by version. */
const CODES: Record<string, Meaning> = {
  NOGROUP: { status: 404 },
  UNBLOCKED: { status: 404 }, // the stream of a blocked read was deleted
  BUSYGROUP: { status: 409 },
  WRONGPASS: refusesUser('redis-login'),
  NOAUTH: refusesUser('redis-login'),
  NOPERM: refusesUser('redis-right'),
  DENIED: refusesUser('redis-login'), // protected mode: the server has no password and accepts only local clients
  OOM: outOfService('redis-full'),
  READONLY: outOfService('redis-degraded'), // of a standalone server: a replica
  LOADING: outOfService('redis-loading'),
  BUSY: outOfService('redis-degraded'),
  MISCONF: outOfService('redis-degraded'),
  NOREPLICAS: outOfService('redis-degraded'),
  MASTERDOWN: outOfService('redis-degraded'),
  CLUSTERDOWN: outOfService('redis-degraded'),
  TRYAGAIN: outOfService('redis-degraded'),
};

/** Redis is available, and another call may succeed: it has too many clients, or became a replica during the call. */
const OUT_OF_REACH = /^ERR max number of clients|^UNBLOCKED (?!the stream key)/;
/** The server is not the kind that the secret names. */
const WRONG_SERVER: [RegExp, CauseName][] = [
  [/^(MOVED|ASK) /, 'redis-cluster-node'],
  [/^ERR (invalid DB index|DB index is out of range|SELECT is not allowed in cluster mode)/, 'redis-database'],
  [/^ERR This instance has cluster support disabled/, 'redis-no-cluster'],
];
/** The place of an error in a script. Redis appends it (Valkey 9 without a digest) or writes it before the reason. */
const SCRIPT_PLACE = /\s*script: (\w+, )?on @user_script:\d+\.?$|@?user_script:\s?\d+:\s?/g;
/** A right that the user lacks inside a script. Newer servers than Redis 7.0 name it. */
const LACKS_RIGHT = /^(?:ERR )+(?:ACL failure in script: |The user executing the script can't )(.*)$/;
const LACKED_COMMAND = /permissions to run the '([^']+)' command/;
const LACKED_KEY = /access (a|at least one of the) key/;

/** Redis' words before the reason of an aborted MULTI. */
const DISCARDED = /^EXECABORT Transaction discarded because of: /;

/** Refusals that begin with the general `ERR`. */
const NO_SUCH_KEY = /no such key|requires the key to exist/i;
const BAD_ARGUMENT = /invalid (stream|start|end) id|id specified in xadd|not an integer or out of range/i;
const LOGIN = /^ERR AUTH/i;
const UNKNOWN_SYNTAX = /unknown (sub)?command|syntax error|invalid stream id|wrong number of arguments|unrecognized/i;
export const UNKNOWN_COMMAND = /^ERR unknown (sub)?command/i;

/** What is known of a failed command, besides its error. */
export interface FailureContext {
  /** The script that met it, if any: it names the rights that the user needs. */
  readonly script?: Lua;
  /** What the command did if there is no reply. Default: unknown. */
  readonly outcome?: Outcome;
  /** The connection. */
  readonly peer?: Peer;
  /** Whether the configuration names this one server. */
  readonly isStandalone?: boolean;
}

const firstWordOf = (message: string) => /^[A-Z]+/.exec(message)?.[0] ?? 'ERR';

/** Whether Redis refused the credentials of the connection. */
export function isRefusedLogin(error: unknown): boolean {
  return error instanceof ConnectorError && (error.upstreamCode === 'WRONGPASS' || error.upstreamCode === 'NOAUTH');
}

/** Whether a new connection may find another server, or another user, than this one did. */
export function isStale(error: ConnectorError): boolean {
  return ['READONLY', 'NOAUTH', 'MASTERDOWN', 'CLUSTERDOWN'].includes(error.upstreamCode ?? '');
}

/**
 * The error for a command or option that the server lacks, recognised by its refusal; undefined for another refusal.
 * For servers that do not list their commands.
 */
export function missingCapability(
  error: unknown,
  { needs }: Pick<Command<unknown>, 'needs'>,
): ConnectorError | undefined {
  const cause = error instanceof ConnectorError ? error.cause : undefined;
  if (!needs || !(cause instanceof ErrorReply) || !UNKNOWN_SYNTAX.test(cause.message)) return undefined;
  return lacking(needs, cause);
}

/** An error of Redis or of the connection, as callers see it. */
export function mapRedisError(error: unknown, context: FailureContext = {}): ConnectorError {
  if (error instanceof ConnectorError) return error;
  if (error instanceof MultiErrorReply) return mapRedisError(error.errors().next().value, context);
  if (error instanceof ErrorReply) return mapErrorReply(error, context);
  return brokenConnection(error, context.peer, isClosed(error) ? 'not-sent' : (context.outcome ?? 'unknown'));
}

/** Whether the client refused a command, because its connection had ended before. */
const isClosed = (error: unknown) => error instanceof ClientClosedError || error instanceof ClientOfflineError;

const REPLY_TOO_LONG = 'REPLYTOOLONG';

/** The error for a reply over the limit of its command. */
export function replyTooLong(): ConnectorError {
  return new ConnectorError('STREAM:COMMAND', 'The reply of Redis is too large', {
    status: 413,
    outcome: 'unknown',
    upstreamCode: REPLY_TOO_LONG,
  });
}

/** Whether a reply was over the limit of its command. */
export function isReplyTooLong(error: unknown): boolean {
  return error instanceof ConnectorError && error.upstreamCode === REPLY_TOO_LONG;
}

/** The error for a right that the user lacks inside a script; `what` is Redis' description. */
function lacksRight(what: string, rights: readonly string[], cause: ErrorReply): ConnectorError {
  const command = LACKED_COMMAND.exec(what)?.[1];
  const subject = command ? `'${command}'` : LACKED_KEY.test(what) ? 'a key of the call' : 'a command';
  const lacking = command ? [command] : subject === 'a command' ? rights : [];
  const needed = lacking.map((right) => `+${right}`).join(' ');
  const message =
    `The Redis user has no permission to ${subject === 'a key of the call' ? 'access' : 'run'} ${subject} in a script` +
    (needed && `: it needs ${needed}`);
  return new ConnectorError('STREAM:COMMAND', message, { ...CODES.NOPERM, upstreamCode: 'NOPERM', cause });
}

function mapErrorReply(reply: ErrorReply, { script, peer, isStandalone }: FailureContext): ConnectorError {
  const message = reply.message.replaceAll(SCRIPT_PLACE, '').replace(DISCARDED, '');
  const cause = withoutArguments(reply);
  const lacked = LACKS_RIGHT.exec(message)?.[1];
  if (lacked !== undefined) return lacksRight(lacked, script?.rights ?? [], cause);
  const upstreamCode = firstWordOf(message);
  const wrongServer = WRONG_SERVER.find(([pattern]) => pattern.test(message));
  if (wrongServer) {
    const { detail, hint } = describeCause(wrongServer[1]);
    return new ConnectorError('CONNECTOR:CONFIGURATION', detail, { outcome: 'refused', hint, upstreamCode, cause });
  }
  if (OUT_OF_REACH.test(message)) {
    return new ConnectorError('STREAM:COMMAND', message, { status: 503, upstreamCode, cause });
  }
  if (upstreamCode === 'READONLY' && isStandalone && peer) {
    const { detail, hint } = describeCause('redis-replica', { reply: message, address: addressOf(peer) });
    return new ConnectorError('STREAM:COMMAND', detail, { status: 503, hint, upstreamCode, cause });
  }
  if (upstreamCode === 'WRONGTYPE') {
    return new ConnectorError('STREAM:WRONG_TYPE', 'The key does not hold a stream', { upstreamCode, cause });
  }
  if (upstreamCode === 'ERR' && BAD_ARGUMENT.test(message)) {
    return new ConnectorError('STREAM:ARGUMENT', message, { outcome: 'refused', upstreamCode, cause });
  }
  return new ConnectorError('STREAM:COMMAND', describe(message), {
    ...(upstreamCode === 'ERR' ? statusOfErr(message) : CODES[upstreamCode]),
    upstreamCode,
    cause,
  });
}

/** Redis repeats the arguments of an unknown command, which a log must not hold. */
function withoutArguments(reply: ErrorReply): ErrorReply {
  return UNKNOWN_COMMAND.test(reply.message) ? new ErrorReply(reply.message.replace(/, with args.*$/s, '')) : reply;
}

function statusOfErr(message: string): Meaning {
  if (NO_SUCH_KEY.test(message)) return { status: 404 };
  if (UNKNOWN_COMMAND.test(message)) return { hint: CAUSES['redis-command'].hint };
  return LOGIN.test(message) ? CODES.WRONGPASS! : {};
}

/** Redis' own words, unless they repeat arguments of the command. */
function describe(message: string): string {
  if (UNKNOWN_COMMAND.test(message)) return CAUSES['redis-command'].detail;
  return /^(ERR)?\s*$/.test(message) ? 'Redis refused the command, and gave no reason' : message;
}
