import type { RedisConfig } from '../runtime/config.schema.ts';
import { ConnectorError } from '../core/errors.ts';
import { nameOf, reach, serverOptions, type ServerOptions } from './options.ts';
import { connectServer, type Transport } from './server.ts';

/**
 * Connects to the master that Sentinel names. Does not use the library's Sentinel client, which sends a command again
 * when its connection ends (redis 6.3.1), so that an XADD could happen twice. A replaced master refuses writes or ends
 * the connection; then the new one is looked up here.
 *
 * User, password, TLS and database of the servers come from `url`, or from the first sentinel's URL.
 *
 * @see https://redis.io/docs/latest/develop/reference/sentinel-clients/
 */
export async function connectMaster(config: RedisConfig, onEnd: () => void, signal: AbortSignal): Promise<Transport> {
  const servers = serverOptions(config.url ?? config.nodes![0]!, config);
  let failure: unknown;
  for (const node of config.nodes!) {
    if (signal.aborted) break;
    try {
      const address = await askSentinel(node, config, signal);
      if (address) {
        return await connectAsMaster(
          {
            ...servers,
            socket: { ...servers.socket, ...nameOf(address.host, config), port: address.port },
          },
          onEnd,
          signal,
        );
      }
      failure = new ConnectorError('CONNECTOR:CONFIGURATION', 'No sentinel knows redis.sentinelName');
    } catch (error) {
      failure ??= error;
    }
  }
  throw signal.aborted ? signal.reason : failure;
}

interface Address {
  host: string;
  port: number;
}

async function askSentinel(node: string, config: RedisConfig, signal: AbortSignal): Promise<Address | undefined> {
  const options = serverOptions(node, config);
  const share = Math.ceil(config.connectTimeoutMs / config.nodes!.length); // leaves time for the next sentinel if one is silent
  const socket = { ...options.socket, connectTimeout: share, socketTimeout: share } as ServerOptions['socket'];
  const sentinel = await connectServer({ ...options, database: undefined, socket }, () => {}, signal);
  try {
    const reply = await sentinel.send({
      key: '',
      args: ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', config.sentinelName!],
    });
    if (!Array.isArray(reply)) return undefined;
    const [host, port] = reply as [string, string];
    return reach(host, Number(port), config);
  } finally {
    sentinel.destroy();
  }
}

/** A sentinel that was cut off may name a former master. */
async function connectAsMaster(options: object, onEnd: () => void, signal: AbortSignal): Promise<Transport> {
  const server = await connectServer(options, onEnd, signal);
  const giveUp = () => server.destroy();
  signal.addEventListener('abort', giveUp);
  try {
    const [role] = (await server.send({ key: '', args: ['ROLE'] })) as [string];
    if (role === 'master') return server;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
  server.destroy();
  throw new ConnectorError('STREAM:COMMAND', 'Redis is out of reach: no server is the master', {
    status: 503,
    outcome: 'not-sent',
  });
}
