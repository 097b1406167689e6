import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RedisClient, type createClient } from 'redis';
import { freePort } from '../network/free-port.ts';

/** A real redis-server on loopback. */
export interface RedisServer {
  readonly port: number;
  /** Another port, for what `args` make of it: TLS, or the bus of a cluster. */
  readonly otherPort: number;
  readonly url: string;
  /** Runs one command on its own connection, like redis-cli. */
  command(...args: string[]): Promise<unknown>;
  /** Starts it again on the same port, after `kill`. */
  start(): Promise<void>;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
  /** Suspends it (SIGSTOP): it keeps its connections, and replies to nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

type Ports = Pick<RedisServer, 'port' | 'otherPort'>;

export interface RedisServerOptions {
  /** Further arguments, `['--maxmemory', '2mb']`. */
  args?: string[] | ((ports: Ports) => string[]);
  /** Whether data survives `kill` and `start` (appendonly). Default false. */
  durable?: boolean;
  /** Its URL, if not `redis://127.0.0.1:<port>`. */
  url?: (port: number) => string;
  /** Configuration file, which a Sentinel needs. */
  configFile?: string;
}

/** As `createClient`, which puts together a class with hundreds of commands for each client. */
const openClient: typeof createClient = RedisClient.factory({});

/** Runs one command on its own connection, like redis-cli. */
export async function sendCommand(url: string, words: string[], socket: object = {}): Promise<unknown> {
  const client = openClient({ url, RESP: 2, socket: { reconnectStrategy: false, connectTimeout: 3000, ...socket } });
  client.on('error', () => {}); // the command rejects with the error
  try {
    await client.connect();
    return await client.sendCommand(words);
  } finally {
    client.destroy();
  }
}

/**
 * Starts a redis-server on a free port.
 *
 * @example
 * const url = (port: number) => `redis://:x@127.0.0.1:${port}`;
 * const server = await startRedisServer({ args: ['--requirepass', 'x'], url });
 */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const ports = { port: await freePort(), otherPort: await freePort() };
  const { port } = ports;
  const url = options.url?.(port) ?? `redis://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), 'redis-server-'));
  // written before the reply: with `everysec`, Redis replies first while a sync takes long
  const durability = options.durable ? ['--appendonly', 'yes', '--appendfsync', 'no'] : ['--appendonly', 'no'];
  const file = options.configFile ? [options.configFile] : [];
  const args = [...file, '--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const more = typeof options.args === 'function' ? options.args(ports) : (options.args ?? []);
  let process: ChildProcess;

  const command = (...words: string[]) => sendCommand(url, words, { rejectUnauthorized: false });
  const start = async () => {
    process = spawn('redis-server', [...args, ...durability, ...more], {
      stdio: 'ignore',
    });
    await answers(command, process);
  };
  const kill = async () => {
    if (process.exitCode !== null || process.signalCode !== null) return;
    const ended = new Promise((resolve) => process.once('exit', resolve));
    process.kill('SIGKILL');
    await ended;
  };

  const removeFiles = () => rm(folder, { recursive: true, force: true });
  await start().catch(async (error: unknown) => {
    await removeFiles();
    throw error;
  });
  return {
    ...ports,
    url,
    command,
    start,
    kill,
    freeze: () => void process.kill('SIGSTOP'),
    thaw: () => void process.kill('SIGCONT'),
    async stop() {
      await kill();
      await removeFiles();
    },
  };
}

/** Waits until this process answers, and not another one that has its port. */
async function answers(command: RedisServer['command'], process: ChildProcess): Promise<void> {
  for (;;) {
    if (process.exitCode !== null) throw new Error(`redis-server ended with ${process.exitCode}`);
    // a server that is still loading replies to INFO, and not to PING
    const info = await command('PING')
      .then(() => command('INFO', 'server'))
      .catch(() => '');
    if (String(info).includes(`process_id:${process.pid}\r`)) return;
    await sleep(10);
  }
}
