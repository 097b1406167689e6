import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createRedisMock } from 'js-redis-server';
import { createClient } from 'redis';
import { freePort } from '../../test/support/redis-server.ts';
import { startChild } from './child.ts';
import { Ending, type Lifetime } from './lifetime.ts';

/** A Redis for the run. */
export interface LocalRedis {
  readonly url: string;
  /** What it is, for the user. */
  readonly description: string;
  /** Name of the ingest stream: in a Redis of the user's, one of this run alone. */
  readonly stream: string;
}

/** The user's own Redis where `REDIS_URL` names it, else a `redis-server` of the PATH, else an embedded one. */
export async function startRedis(shards: number, lifetime: Lifetime): Promise<LocalRedis> {
  if (process.env.REDIS_URL) return useRedis(process.env.REDIS_URL, shards, lifetime);
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  try {
    await startChild({ name: 'redis-server', command: 'redis-server', args }, lifetime);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return embedRedis(lifetime);
  }
  const url = `redis://127.0.0.1:${port}`;
  await untilAnswers(url);
  return { url, description: `redis-server of this machine, on port ${port}`, stream: 'source-submit' };
}

async function embedRedis(lifetime: Lifetime): Promise<LocalRedis> {
  const server = await createRedisMock();
  lifetime.onClose(() => server.close());
  return {
    url: server.url,
    description: `embedded (js-redis-server, on port ${server.port}), for this machine has no redis-server: good for a look, slower than Redis`,
    stream: 'source-submit',
  };
}

async function useRedis(url: string, shards: number, lifetime: Lifetime): Promise<LocalRedis> {
  const stream = `npm-start-${randomUUID()}:source-submit`;
  const shown = new URL(url);
  await command(url, ['PING']).catch((error: unknown) => {
    throw new Ending(`The Redis of REDIS_URL at ${shown.host} does not answer: ${(error as Error).message}`);
  });
  const keys = Array.from({ length: shards }, (_, n) => [`${stream}:${n}`, `{${stream}:${n}}:dead:mdm`]).flat();
  lifetime.onClose(async () => {
    for (const key of keys) await command(url, ['DEL', key]);
  });
  return { url, description: `REDIS_URL, at ${shown.host}; its keys begin with ${stream}`, stream };
}

/** Sends one command on a connection of its own. */
async function command(url: string, words: string[]): Promise<unknown> {
  const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 3000 } });
  client.on('error', () => {}); // the command rejects with it
  try {
    await client.connect();
    return await client.sendCommand(words);
  } finally {
    client.destroy();
  }
}

async function untilAnswers(url: string): Promise<void> {
  for (let tries = 100; ; tries--) {
    try {
      await command(url, ['PING']);
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await wait(20);
    }
  }
}
