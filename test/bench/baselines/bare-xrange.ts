import { createClient } from 'redis';

/** The client alone, as its user would call it: all entries of a stream, as JSON. */
const client = createClient({ url: process.env.BENCH_REDIS_URL, RESP: 2, commandOptions: { timeout: undefined } });
const connected = client.connect();

export async function handler({ key }: { key: string }): Promise<string> {
  await connected;
  return JSON.stringify(await client.xRange(key, '-', '+'));
}
