import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describeCause, type CauseName } from '../contract/causes.ts';
import { ConnectorError, type Outcome } from '../core/errors.ts';
import { UnderWay } from '../core/under-way.ts';

/** The server of a connection, and how far connecting to it has come. */
export interface Peer {
  host: string;
  port: number;
  isTls: boolean;
  servername?: string;
  /** Whether the server took the connection, with TLS if that is asked for. */
  isOpen: boolean;
}

const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
const NOT_TLS = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO']);
const UNTRUSTED = /^(DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_|^CERT_/;
const REFUSES_CLIENT = /^ERR_SSL_.*ALERT/;
/** Without a name of its own: the socket was closed. */
const CLOSED = 'closed';
/** Time to probe a server that did not let a connection succeed, in milliseconds. */
const PROBE_MS = 400;

/** By address: hundreds of commands may fail with one connection. */
const tlsProbes = new UnderWay<string, boolean>();

export const addressOf = ({ host, port }: Pick<Peer, 'host' | 'port'>) =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The error for a server that does not respond in time. */
export function lateReply(peer: Peer | undefined, isReady: boolean, outcome: Outcome): ConnectorError {
  if (isReady || !peer) return failure('redis-slow', peer, { status: 504, outcome });
  return failure(peer.isOpen ? 'redis-silent' : 'redis-unanswered', peer, { status: 504, outcome });
}

/**
 * The error for a connection that failed, or that ended before its first reply. Probes the server if that may
 * tell the cause: whether it speaks TLS.
 *
 * @param fault of the client; undefined if the time is over
 */
export async function explain(fault: unknown, peer: Peer, outcome: Outcome): Promise<ConnectorError> {
  const code = codeOf(fault);
  const more = { status: 503, outcome, upstreamCode: code === CLOSED ? undefined : code, cause: fault };
  const known = knownCause(code);
  if (known) return failure(known, peer, more, code);
  if (peer.isTls && !peer.isOpen && (await speaksPlain(peer))) return failure('redis-no-tls', peer, more, code);
  if (isTimeout(fault)) return lateReply(peer, false, outcome);
  if (!peer.isTls && (await tlsProbes.share(addressOf(peer), () => speaksTls(peer)))) {
    return failure('redis-speaks-tls', peer, { ...more, outcome: 'not-sent' }, code);
  }
  return failure(peer.isTls && peer.isOpen ? 'redis-client-certificate' : 'redis-ended', peer, more, code);
}

/** The error for a connection that ended after it had worked. */
export function brokenConnection(fault: unknown, peer: Peer | undefined, outcome: Outcome): ConnectorError {
  const code = codeOf(fault);
  const more = { status: 503, outcome, upstreamCode: code === CLOSED ? undefined : code, cause: fault };
  return failure(knownCause(code) ?? 'redis-broken', peer, more, code);
}

function knownCause(code: string): CauseName | undefined {
  if (UNKNOWN_HOST.has(code)) return 'redis-no-address';
  if (code === 'ECONNREFUSED') return 'redis-refused';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'ETIMEDOUT') return 'redis-unanswered';
  if (NOT_TLS.has(code)) return 'redis-no-tls';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'redis-certificate-name';
  if (UNTRUSTED.test(code)) return 'redis-certificate';
  return REFUSES_CLIENT.test(code) ? 'redis-client-certificate' : undefined;
}

function failure(
  cause: CauseName,
  peer: Peer | undefined,
  options: { status: number; outcome: Outcome; upstreamCode?: string; cause?: unknown },
  code = '',
): ConnectorError {
  const { detail, hint } = describeCause(cause, { address: peer ? addressOf(peer) : 'the server', code });
  return new ConnectorError('STREAM:COMMAND', detail, { ...options, hint });
}

const codeOf = (fault: unknown): string => (fault as NodeJS.ErrnoException | undefined)?.code ?? CLOSED;

/** The library's own timeout has no code. */
const isTimeout = (fault: unknown) =>
  fault === undefined || (fault instanceof Error && /timeout/i.test(fault.message) && codeOf(fault) === CLOSED);

/** Whether a server replies to plain text as Redis does. */
function speaksPlain({ host, port }: Peer): Promise<boolean> {
  const socket = connect({ host, port });
  return probe(socket, (settle) => {
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => settle(/^[+-]/.test(String(data))));
  });
}

/** Whether a server completes a TLS handshake, whatever its certificate is, or asks for one of the client. */
function speaksTls({ host, port, servername }: Peer): Promise<boolean> {
  const socket = connectTls({ host, port, servername, rejectUnauthorized: false });
  return probe(socket, (settle) => {
    socket.once('secureConnect', () => settle(true));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(REFUSES_CLIENT.test(error.code ?? '')));
  });
}

async function probe(socket: Socket, observe: (settle: (found: boolean) => void) => void): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), PROBE_MS);
  observe(resolve);
  socket.on('error', () => resolve(false)).once('close', () => resolve(false));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
