import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { until } from '../until.ts';

/** A master, a replica, and Sentinels that replace the one by the other. */
export interface RedisSentinel {
  readonly master: RedisServer;
  readonly replica: RedisServer;
  /** URLs of the sentinels, which ask for no password. */
  readonly nodes: string[];
  /** Holds the password of the servers. */
  readonly url: string;
  readonly name: string;
  stop(): Promise<void>;
}

const NAME = 'orders';

/**
 * Starts a master with a replica under two Sentinels.
 *
 * @param options.password of the master and the replica; default none
 * @example
 * const sentinel = await startRedisSentinel();
 * await sentinel.master.kill();
 */
export async function startRedisSentinel({ password = '' } = {}): Promise<RedisSentinel> {
  const url = (port: number) => `redis://${password && `:${password}@`}127.0.0.1:${port}`;
  const login = password ? ['--requirepass', password, '--masterauth', password] : [];
  const master = await startRedisServer({ url, args: [...login, '--repl-diskless-sync-delay', '0'] });
  const replica = await startRedisServer({ url, args: [...login, '--replicaof', '127.0.0.1', String(master.port)] });
  const folder = await mkdtemp(join(tmpdir(), 'redis-sentinel-'));
  const sentinels = await Promise.all(
    [1, 2].map((number) => startSentinel(join(folder, `${number}.conf`), master.port, password)),
  );
  const [first] = sentinels as [RedisServer];
  await until(async () => {
    const [pairs] = (await first.command('SENTINEL', 'MASTERS')) as [string[]];
    const valueOf = (name: string) => pairs[pairs.indexOf(name) + 1];
    return valueOf('num-slaves') === '1' && valueOf('num-other-sentinels') === '1' && valueOf('flags') === 'master';
  });

  return {
    master,
    replica,
    nodes: sentinels.map((server) => server.url),
    url: master.url,
    name: NAME,
    async stop() {
      await Promise.all([...sentinels, replica, master].map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startSentinel(file: string, masterPort: number, password: string): Promise<RedisServer> {
  const lines = [
    `sentinel monitor ${NAME} 127.0.0.1 ${masterPort} 2`,
    ...(password ? [`sentinel auth-pass ${NAME} ${password}`] : []),
    `sentinel down-after-milliseconds ${NAME} 500`,
    `sentinel failover-timeout ${NAME} 2000`,
  ];
  await writeFile(file, lines.join('\n'));
  return startRedisServer({ configFile: file, args: ['--sentinel'] });
}
