import { ErrorReply } from 'redis';
import { describeCause } from '../contract/causes.ts';
import type { RedisConfig } from '../config/config.schema.ts';
import { ConnectorError } from '../core/errors.ts';
import { UNKNOWN_COMMAND } from './errors.ts';
import { nameOf, reach, serverOptions, type ServerOptions } from './options.ts';
import { connectServer, type Connecting, type Transport } from './server.ts';
import { addressOf } from './unreached.ts';

/**
 * Connects to the master that Sentinel names. Does not use the library's Sentinel client, which sends a command again
 * when its connection ends (redis 6.3.1), so that an XADD could happen twice. A replaced master refuses writes or ends
 * the connection; then the new one is looked up here.
 *
 * User, password, TLS and database of the servers come from `url`, or from the first sentinel's URL.
 *
 * @see https://redis.io/docs/latest/develop/reference/sentinel-clients/
 */
export async function connectMaster(config: RedisConfig, connecting: Connecting): Promise<Transport> {
  const { signal } = connecting;
  const servers = serverOptions(config.url ?? config.nodes![0]!, config);
  let failure: unknown;
  for (const node of config.nodes!) {
    if (signal.aborted) break;
    try {
      const address = await askSentinel(node, config, connecting);
      if (address) {
        return await connectAsMaster(
          {
            ...servers,
            socket: { ...servers.socket, ...nameOf(address.host, config), port: address.port },
          },
          connecting,
        );
      }
      const { detail, hint } = describeCause('redis-sentinel-name');
      failure = new ConnectorError('CONNECTOR:CONFIGURATION', detail, { hint });
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

interface Address {
  host: string;
  port: number;
}

async function askSentinel(node: string, config: RedisConfig, connecting: Connecting): Promise<Address | undefined> {
  const options = serverOptions(node, config);
  // leaves time for the next sentinel if one is silent
  const share = Math.ceil(config.connectTimeoutMs / config.nodes!.length);
  const socket = { ...options.socket, connectTimeout: share, socketTimeout: share } as ServerOptions['socket'];
  const silent: Connecting = { signal: connecting.signal, onEnd: () => {} };
  const sentinel = await connectServer({ ...options, database: undefined, socket }, silent).finally(() => {
    connecting.peer = silent.peer;
  });
  try {
    const reply = await sentinel.send({
      key: '',
      args: ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', config.sentinelName!],
    });
    if (!Array.isArray(reply)) return undefined;
    const [host, port] = reply as [string, string];
    return reach(host, Number(port), config);
  } catch (error) {
    if (!(error instanceof ErrorReply) || !UNKNOWN_COMMAND.test(error.message)) throw error;
    const { detail, hint } = describeCause('redis-no-sentinel', { address: addressOf(silent.peer!) });
    throw new ConnectorError('CONNECTOR:CONFIGURATION', detail, { hint, upstreamCode: 'ERR', cause: error });
  } finally {
    sentinel.destroy();
  }
}

/** A sentinel that was cut off may name a former master. */
async function connectAsMaster(options: object, connecting: Connecting): Promise<Transport> {
  const { signal } = connecting;
  const server = await connectServer(options, connecting);
  const giveUp = () => server.destroy();
  signal.addEventListener('abort', giveUp);
  try {
    const [role] = (await server.send({ key: '', args: ['ROLE'] })) as [string];
    if (role === 'master') return server;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
  server.destroy();
  const { detail, hint } = describeCause('redis-no-master');
  throw new ConnectorError('STREAM:COMMAND', detail, { status: 503, outcome: 'not-sent', hint });
}
