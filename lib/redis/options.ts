import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { RESP_TYPES, RedisClient, type RedisClientOptions } from 'redis';
import type { RedisConfig } from '../runtime/config.schema.ts';
import { ConnectorError } from '../core/errors.ts';
import { iamToken } from './iam-token.ts';

/** Options of a client to one server. */
export type ServerOptions = RedisClientOptions<
  Record<string, never>,
  Record<string, never>,
  Record<string, never>,
  2,
  { [RESP_TYPES.NUMBER]: StringConstructor }
>;

/**
 * Integers as text: 64 bits stay exact. The client's command timeout is off: it costs most of the throughput with many
 * commands in flight, and does not end what it gives up.
 */
export const commandOptions = { timeout: undefined, typeMapping: { [RESP_TYPES.NUMBER]: String } };

/**
 * Client options for a URL: its host, TLS, user, password and database. The client never reconnects by itself:
 * a connection that ended is replaced by the next command that needs one.
 *
 * @throws {ConnectorError} `CONNECTOR:CONFIGURATION` for a URL that cannot be read.
 */
export function serverOptions(url: string, config: RedisConfig): ServerOptions {
  const { socket, ...login } = parseUrl(url);
  const { host } = socket as { host: string };
  return {
    ...login,
    ...(config.auth === 'iam' ? iamLogin(config) : {}),
    RESP: 2,
    commandOptions,
    disableOfflineQueue: true,
    disableClientInfo: true, // one command less to allow, and to wait for
    maintNotifications: 'disabled',
    socket: {
      ...socket,
      ...(socket.tls ? tlsOptions(config) : {}),
      ...nameOf(host, config),
      connectTimeout: config.connectTimeoutMs,
      reconnectStrategy: false,
    },
  } as ServerOptions;
}

/** A server and the name to ask it for. Node sends no name by itself, and none may be an IP address. */
export function nameOf(host: string, { servername }: RedisConfig): { host: string; servername?: string } {
  return { host, servername: servername ?? (isIP(host) ? undefined : host) };
}

/** Where a node is reached that the cluster or a sentinel names, by `nodeAddressMap`; an IPv6 host has no brackets. */
export function reach(host: string, port: number, { nodeAddressMap }: RedisConfig): { host: string; port: number } {
  const mapped = nodeAddressMap?.[`${host}:${port}`];
  if (!mapped) return { host, port };
  const at = mapped.lastIndexOf(':');
  return { host: mapped.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port: Number(mapped.slice(at + 1)) };
}

function tlsOptions({ ca, cert, key }: RedisConfig) {
  return { cert, key, ...(ca ? { ca: [...rootCertificates, ca] } : {}) };
}

function iamLogin({ userId, cacheName }: RedisConfig) {
  const credentials = async () => ({
    username: userId!,
    password: await iamToken({ userId: userId!, cacheName: cacheName! }),
  });
  return { credentialsProvider: { type: 'async-credentials-provider', credentials }, username: userId };
}

function parseUrl(url: string): ReturnType<typeof RedisClient.parseURL> {
  try {
    return RedisClient.parseURL(url.replace(/^valkey/, 'redis'));
  } catch {
    throw new ConnectorError('CONNECTOR:CONFIGURATION', 'A Redis URL of the secret cannot be read');
  }
}
