import { createClient } from 'redis';

/** The plain loop that gives every entry up: XREADGROUP COUNT 100, then for each a MULTI of XADD and XACK. */
const client = createClient({ url: process.env.BENCH_REDIS_URL, RESP: 2, commandOptions: { timeout: undefined } });
const connected = client.connect();

type Reply = [stream: string, entries: [id: string, fields: string[]][]][] | null;

export async function handler({ stream, group }: { stream: string; group: string }): Promise<{ deadLettered: number }> {
  await connected;
  const read = ['XREADGROUP', 'GROUP', group, 'bench', 'COUNT', '100', 'STREAMS', stream, '>'];
  for (let deadLettered = 0; ;) {
    const reply = await client.sendCommand<Reply>(read);
    if (!reply) return { deadLettered };
    for (const [id, fields] of reply[0]![1]) {
      const letter = [...fields, 'dl-source-id', id, 'dl-reason', 'refused', 'dl-deliveries', '1'];
      await client
        .multi()
        .addCommand(['XADD', `${stream}:dead`, '*', ...letter])
        .addCommand(['XACK', stream, group, id])
        .exec();
      deadLettered++;
    }
  }
}
