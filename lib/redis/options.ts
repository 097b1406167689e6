import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { RESP_TYPES, RedisClient, type RedisClientOptions } from 'redis';
import type { RedisConfig } from '../config/config.schema.ts';
import { ConnectorError } from '../core/errors.ts';
import { iamToken } from './iam-token.ts';

/** Options of a client for one server. */
export type ServerOptions = RedisClientOptions<
  Record<string, never>,
  Record<string, never>,
  Record<string, never>,
  2,
  { [RESP_TYPES.NUMBER]: StringConstructor }
>;

/**
 * Integers arrive as text, so that 64 bits stay exact. The client's command timeout is off, because it costs most of
 * the throughput with many commands in flight and does not end the commands.
 */
export const commandOptions = { timeout: undefined, typeMapping: { [RESP_TYPES.NUMBER]: String } };

/**
 * Client options for a URL: host, TLS, user, password and database. The client never reconnects; the next command makes
 * a new connection.
 *
 * @throws {ConnectorError} `CONNECTOR:CONFIGURATION` for a URL that cannot be read.
 */
export function serverOptions(url: string, config: RedisConfig): ServerOptions {
  const { socket, ...login } = parseUrl(url);
  const { host } = socket as { host: string };
  return {
    ...login,
    ...(config.auth === 'iam' && iamLogin(config)),
    RESP: 2,
    commandOptions,
    disableOfflineQueue: true,
    disableClientInfo: true, // one command less to allow and to wait for
    maintNotifications: 'disabled',
    socket: {
      ...socket,
      ...(socket.tls && tlsOptions(config)),
      ...nameOf(host, config),
      connectTimeout: config.connectTimeoutMs,
      reconnectStrategy: false,
    },
  } as ServerOptions;
}

/** Host, port and server name for TLS. Node sends no name by itself, and an IP address is not allowed as one. */
export function nameOf(host: string, { servername }: RedisConfig): { host: string; servername?: string } {
  return { host, servername: servername ?? (isIP(host) ? undefined : host) };
}

/** Where to reach a node of the cluster or a sentinel, by `nodeAddressMap`; IPv6 hosts have no brackets. */
export function reach(host: string, port: number, { nodeAddressMap }: RedisConfig): { host: string; port: number } {
  const mapped = nodeAddressMap?.[`${host}:${port}`];
  if (!mapped) return { host, port };
  const at = mapped.lastIndexOf(':');
  return { host: mapped.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port: Number(mapped.slice(at + 1)) };
}

function tlsOptions({ ca, cert, key }: RedisConfig) {
  return { cert, key, ...(ca && { ca: [...rootCertificates, ca] }) };
}

function iamLogin({ userId, cacheName }: RedisConfig) {
  const credentials = async () => ({
    username: userId!,
    password: await iamToken({ userId: userId!, cacheName: cacheName! }),
  });
  return { credentialsProvider: { type: 'async-credentials-provider', credentials }, username: userId };
}

/** The server that a configuration names first, and the user that logs in there. */
export function addressOf(config: RedisConfig): { host: string; isEncrypted: boolean; user: string } {
  const { socket, username } = serverOptions(
    (config.mode === 'cluster' ? undefined : config.url) ?? config.nodes![0]!,
    config,
  );
  const { host, port = 6379, tls } = socket as { host: string; port?: number; tls?: boolean };
  return { host: `${host}:${port}`, isEncrypted: tls === true, user: username ?? 'default' };
}

function parseUrl(url: string): ReturnType<typeof RedisClient.parseURL> {
  try {
    return RedisClient.parseURL(url.replace(/^valkey/, 'redis'));
  } catch {
    throw new ConnectorError('CONNECTOR:CONFIGURATION', 'A Redis URL of the secret cannot be read');
  }
}
