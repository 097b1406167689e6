import { createCluster, RootNodesUnavailableError } from 'redis';
import type { RedisConfig } from '../runtime/config.schema.ts';
import { commandOptions, serverOptions } from './options.ts';
import { connectUnless, type Transport } from './server.ts';

/** Connects to a cluster: asks the configured nodes for its slots. Nodes are connected to when a command needs them. */
export async function connectCluster(config: RedisConfig, onEnd: () => void, signal: AbortSignal): Promise<Transport> {
  const servers = config.nodes!.map((node) => serverOptions(node, config));
  const { host: _host, port: _port, ...socket } = servers[0]!.socket as { host?: string; port?: number };
  const share = Math.ceil(config.connectTimeoutMs / servers.length); // so that one silent node leaves time for the next
  const cluster = createCluster({
    RESP: 2,
    rootNodes: servers.map((server) => ({
      ...server,
      socket: { ...server.socket, connectTimeout: share, socketTimeout: share },
    })),
    defaults: { ...servers[0], socket },
    minimizeConnections: true,
    commandOptions,
  });
  let failure: unknown;
  const onNodeFailure = (error: unknown) => (failure = error);
  cluster.on('error', onNodeFailure);
  try {
    await connectUnless(signal, cluster);
  } catch (error) {
    throw error instanceof RootNodesUnavailableError ? (failure ?? error) : error;
  }
  cluster.on('error', onEnd).on('node-error', onEnd);
  return {
    // the client takes an empty key for none, and would ask any node
    send: (key, args) => cluster.sendCommand(key || Buffer.alloc(0), false, args as (string | Buffer)[]),
    destroy: () => cluster.destroy(),
  };
}
