import { RESP_TYPES, RedisClient, type RedisClientOptions } from 'redis';
import type { RedisConfig } from '../runtime/config.schema.ts';
import { ConnectorError } from '../core/errors.ts';

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
export function serverOptions(url: string, { ca, connectTimeoutMs }: RedisConfig): ServerOptions {
  const { socket, ...login } = parseUrl(url);
  return {
    ...login,
    RESP: 2,
    commandOptions,
    disableOfflineQueue: true,
    disableClientInfo: true, // one command less to allow, and to wait for
    maintNotifications: 'disabled',
    socket: {
      ...socket,
      ...(socket.tls ? { ca } : {}),
      connectTimeout: connectTimeoutMs,
      reconnectStrategy: false,
    },
  } as ServerOptions;
}

function parseUrl(url: string): ReturnType<typeof RedisClient.parseURL> {
  try {
    return RedisClient.parseURL(url);
  } catch {
    throw new ConnectorError('CONNECTOR:CONFIGURATION', 'A Redis URL of the secret cannot be read');
  }
}
