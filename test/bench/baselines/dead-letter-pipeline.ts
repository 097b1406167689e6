import { createClient } from 'redis';

/**
 * The fast loop that gives every entry up: XREADGROUP COUNT 100, then a MULTI of XADD and XACK for each, all in flight.
 */
const client = createClient({ url: process.env.BENCH_REDIS_URL, RESP: 2, commandOptions: { timeout: undefined } });
const connected = client.connect();

type Reply = [stream: string, entries: [id: string, fields: string[]][]][] | null;

export async function handler({ stream, group }: { stream: string; group: string }): Promise<{ deadLettered: number }> {
  await connected;
  const read = ['XREADGROUP', 'GROUP', group, 'bench', 'COUNT', '100', 'STREAMS', stream, '>'];
  const bury = ([id, fields]: [id: string, fields: string[]]) =>
    client
      .multi()
      .addCommand(['XADD', `${stream}:dead`, '*', ...fields, 'dl-source-id', id, 'dl-reason', 'refused'])
      .addCommand(['XACK', stream, group, id])
      .exec();
  for (let deadLettered = 0; ;) {
    const reply = await client.sendCommand<Reply>(read);
    if (!reply) return { deadLettered };
    await Promise.all(reply[0]![1].map(bury));
    deadLettered += reply[0]![1].length;
  }
}
