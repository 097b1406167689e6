import { createClient } from 'redis';

/** The plain loop: XREADGROUP COUNT 100, then one XACK for all of them, over the client at its fastest. */
const client = createClient({ url: process.env.BENCH_REDIS_URL, RESP: 2, commandOptions: { timeout: undefined } });
const connected = client.connect();

type Reply = [stream: string, entries: [id: string, fields: string[]][]][] | null;

export async function handler({ stream, group }: { stream: string; group: string }): Promise<{ processed: number }> {
  await connected;
  const read = ['XREADGROUP', 'GROUP', group, 'bench', 'COUNT', '100', 'STREAMS', stream, '>'];
  for (let processed = 0; ;) {
    const reply = await client.sendCommand<Reply>(read);
    if (!reply) return { processed };
    const ids = reply[0]![1].map(([id]) => id);
    await client.sendCommand(['XACK', stream, group, ...ids]);
    processed += ids.length;
  }
}
