import { createClient } from 'redis';

/** The client alone, at its fastest: words as they go over the wire, without its command timeout. */
const client = createClient({ url: process.env.BENCH_REDIS_URL, RESP: 2, commandOptions: { timeout: undefined } });
const connected = client.connect();

interface Call {
  key: string;
  entry: Record<string, string>;
}

export async function handler({ key, entry }: Call): Promise<unknown> {
  await connected;
  return client.sendCommand(['XADD', key, '*', ...Object.entries(entry).flat()]);
}
