import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../network/free-port.ts';
import { sendCommand } from '../redis/redis-server.ts';
import { startChild } from './child.ts';
import { startEmbeddedRedis } from '../redis/embedded-redis.ts';
import { ScriptError } from '#scripts/build/script-error.ts';
import { type Lifetime } from './lifetime.ts';
import { checkRedisUrl } from './redis-url.ts';

/** A Redis server for the run. */
export interface LocalRedis {
  readonly url: string;
  /** Description for the user. */
  readonly description: string;
  /** Name of the ingest stream. In the user's own Redis, it is unique to this run. */
  readonly stream: string;
}

/** The consumer's scripts need this version. */
const OLDEST_VERSION = 7;

/** The Redis of `REDIS_URL`, or a `redis-server` on the PATH, or an embedded one. */
export async function startRedis(lambdaPort: number, lifetime: Lifetime): Promise<LocalRedis> {
  if (process.env.REDIS_URL) return useRedis(process.env.REDIS_URL, lifetime);
  return installedVersion() >= OLDEST_VERSION ? startServer(lambdaPort, lifetime) : embedServer(lifetime);
}

/** Major version of the `redis-server` on the PATH; 0 without one. */
function installedVersion(): number {
  const { stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  return Number(/v=(\d+)/.exec(stdout)?.[1] ?? 0);
}

async function startServer(lambdaPort: number, lifetime: Lifetime): Promise<LocalRedis> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  await startChild({ name: 'redis-server', lambdaPort, command: 'redis-server', args }, lifetime);
  const url = `redis://127.0.0.1:${port}`;
  await untilAnswers(url);
  return { url, description: `redis-server of this machine, on port ${port}`, stream: 'source-submit' };
}

async function embedServer(lifetime: Lifetime): Promise<LocalRedis> {
  const { url, port, close } = await startEmbeddedRedis();
  lifetime.onClose(close);
  const reason = `this machine has no redis-server of version ${OLDEST_VERSION} or newer`;
  return { url, description: `embedded (js-redis-server, on port ${port}): ${reason}`, stream: 'source-submit' };
}

async function useRedis(url: string, lifetime: Lifetime): Promise<LocalRedis> {
  const stream = `npm-start-${randomUUID()}:source-submit`;
  const shown = checkRedisUrl(url);
  await sendCommand(url, ['PING']).catch((error: unknown) => {
    throw new ScriptError(`The Redis of REDIS_URL at ${shown.host} does not answer: ${(error as Error).message}`);
  });
  lifetime.onClose(async () => {
    let cursor = '0';
    do {
      // not by KEYS, because others may use this server, too
      const scan = ['SCAN', cursor, 'MATCH', `*${stream}*`, 'COUNT', '1000'];
      const [next, keys] = (await sendCommand(url, scan)) as [string, string[]];
      for (const key of keys) await sendCommand(url, ['DEL', key]);
      cursor = next;
    } while (cursor !== '0');
  });
  return { url, description: `REDIS_URL, at ${shown.host}; its keys begin with ${stream}`, stream };
}

async function untilAnswers(url: string): Promise<void> {
  for (let tries = 100; ; tries--) {
    try {
      await sendCommand(url, ['PING']);
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await wait(20);
    }
  }
}
