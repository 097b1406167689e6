import { setTimeout as sleep } from 'node:timers/promises';
import { createCluster, ErrorReply, RootNodesUnavailableError } from 'redis';
import type { RedisConfig } from '../config/config.schema.ts';
import { commandOptions, nameOf, reach, serverOptions } from './options.ts';
import { boundReplies, type SendBounded } from './bounded-replies.ts';
import { boundOf, connectUnless, runAll, sendOptionsOf, peerOf, type Connecting, type Transport } from './server.ts';
import { decodeReplies } from './reply-decoder.ts';
import { slotOf } from './slot.ts';
import { explain } from './unreached.ts';

/**
 * How long, and how often, to retry a command of several keys while their slot moves to another node, in milliseconds.
 */
const SLOT_MOVES_MS = 1000;
const TRY_AGAIN_MS = 25;

/** What any node says of a slot that no master has. The client knows no node that it could ask. */
const NOT_SERVED = 'CLUSTERDOWN Hash slot not served';

/** Commands without a key, which the client sends to any master: here the one of the command's `key` is meant. */
const KEYLESS = new Set(['ACL', 'CLUSTER', 'COMMAND', 'INFO', 'PING', 'TIME']);

interface NodeSocket {
  host: string;
  port?: number;
  servername?: string;
}

/**
 * Connects to a cluster: asks the configured nodes for its slots, and connects to a node when a command needs it. If
 * the cluster announces no host for a node, uses the host of the first of `nodes`.
 */
export async function connectCluster(config: RedisConfig, connecting: Connecting): Promise<Transport> {
  const { signal, onEnd } = connecting;
  const servers = config.nodes!.map((node) => serverOptions(node, config));
  connecting.peer = peerOf(servers[0]!);
  const { host: rootHost, port: _port, servername: _name, ...socket } = servers[0]!.socket as NodeSocket;
  const nodeAddressMap = (address: string) => {
    const at = address.lastIndexOf(':');
    const known = /^(null|undefined|\?)?$/.test(address.slice(0, at)) ? rootHost : address.slice(0, at);
    const { host, port } = reach(known, Number(address.slice(at + 1)), config);
    return { ...nameOf(host, config), port };
  };
  const share = Math.ceil(config.connectTimeoutMs / servers.length); // leaves time for the next node if one is silent
  const cluster = createCluster({
    RESP: 2,
    rootNodes: servers.map((server) => ({
      ...server,
      socket: { ...server.socket, connectTimeout: share, socketTimeout: share },
    })),
    defaults: { ...servers[0], socket },
    nodeAddressMap,
    minimizeConnections: true,
    commandOptions,
  });
  let failure: unknown;
  const onNodeFailure = (error: unknown) => (failure = error);
  cluster.on('error', onNodeFailure);
  const decoded = new WeakSet<object>();
  cluster.on('node-ready', () => {
    for (const { client } of cluster.nodeByAddress.values()) {
      if (!client?.isReady || decoded.has(client)) continue;
      decoded.add(client);
      decodeReplies(client);
    }
  });
  try {
    await connectUnless(signal, cluster);
  } catch (error) {
    const fault = error instanceof RootNodesUnavailableError ? (failure ?? error) : error;
    if (fault instanceof ErrorReply) throw fault;
    throw await explain(signal.aborted ? undefined : fault, connecting.peer, 'not-sent');
  }
  cluster.on('error', onEnd).on('node-error', onEnd);
  const bounded = new WeakMap<object, SendBounded>();
  const knownMasterOf = (key: string) => cluster.slots[slotOf(key)]?.master;
  const masterOf = (key: string) => {
    const master = knownMasterOf(key);
    if (!master) throw new ErrorReply(NOT_SERVED);
    return master;
  };
  const boundNode = async (key: string) => {
    const node = await cluster.nodeClient(masterOf(key));
    if (!bounded.has(node)) bounded.set(node, boundReplies(node));
    return bounded.get(node)!;
  };
  return {
    async send(command, onReplyTooLong) {
      const { key, args, transaction, maxReplyBytes } = command;
      const master = masterOf(key);
      if (transaction) {
        const multi = cluster.multi(key || Buffer.alloc(0));
        return runAll(
          { addCommand: (words) => multi.addCommand(key, false, words), exec: () => multi.exec() },
          transaction,
        );
      }
      const options = sendOptionsOf(command);
      if (KEYLESS.has(args[0] as string)) return (await cluster.nodeClient(master)).sendCommand(args, options);
      // the client treats an empty key as none, and would ask any node
      const routingKey = key || Buffer.alloc(0);
      const send = () => cluster.sendCommand(routingKey, false, args as (string | Buffer)[], options);
      const sendAny = async () =>
        maxReplyBytes ? (await boundNode(key))(boundOf(command, onReplyTooLong), send) : send();
      return onceMoved<unknown>(sendAny, config);
    },
    peerOf(key) {
      const master = knownMasterOf(key);
      const { socket } = servers[0]!;
      return master && peerOf({ socket: { ...socket, ...nodeAddressMap(master.address) } });
    },
    destroyNode: (key) => knownMasterOf(key)?.client?.destroy(),
    destroy: () => cluster.destroy(),
  };
}

/**
 * Retries a command that Redis refused because only some of its keys have moved to another node. The server did
 * nothing, and most slots move in less than a second.
 */
async function onceMoved<T>(send: () => Promise<T>, { commandTimeoutMs }: RedisConfig): Promise<T> {
  const giveUpAt = performance.now() + Math.min(SLOT_MOVES_MS, commandTimeoutMs / 2);
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!isMoving(error) || performance.now() >= giveUpAt) throw error;
    }
    await sleep(TRY_AGAIN_MS);
  }
}

const isMoving = (error: unknown) => error instanceof ErrorReply && error.message.startsWith('TRYAGAIN');
