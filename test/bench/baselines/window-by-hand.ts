import { Agent } from 'node:http';
import fetch from 'node-fetch';
import { createClient } from 'redis';

/**
 * A window as one would write it by hand, in no order: submits up to `concurrency` entries at a time with node-fetch,
 * the next one as soon as one is done; reads 100 ahead, and acknowledges 100 together. A call has a timeout, its keys
 * are encoded, and what is not JSON is not sent. It retries nothing, and holds no lease.
 */
const client = createClient({ url: process.env.BENCH_REDIS_URL, RESP: 2, commandOptions: { timeout: undefined } });
const connected = client.connect();
const agent = new Agent({ keepAlive: true });
const headers = { accept: 'application/json', 'content-type': 'application/json', 'ids-session-id': 'bench' };
const base = process.env.BENCH_MDM_URL;
const BATCH = 100;
const TIMEOUT_MS = 10_000;

type Fields = string[];
type Reply = [stream: string, entries: [id: string, fields: Fields][]][] | null;

interface Parameters {
  stream: string;
  group: string;
  concurrency: number;
}

export async function handler({ stream, group, concurrency }: Parameters): Promise<{ processed: number }> {
  await connected;
  let done: string[] = [];
  let processed = 0;
  const acknowledge = async () => {
    const ids = done;
    done = [];
    await client.sendCommand(['XACK', stream, group, ...ids]);
    processed += ids.length;
  };
  const waiting: [id: string, fields: Fields][] = [];
  const readMore = async () => {
    const read = ['XREADGROUP', 'GROUP', group, 'bench', 'COUNT', String(BATCH), 'STREAMS', stream, '>'];
    const reply = await client.sendCommand<Reply>(read);
    waiting.push(...(reply?.[0]![1] ?? []));
    return reply !== null;
  };
  let reading: Promise<boolean> | undefined;
  const work = async () => {
    for (;;) {
      if (waiting.length < BATCH / 2) reading ??= readMore().finally(() => (reading = undefined));
      const next = waiting.shift();
      if (next) {
        await submit(next[1]);
        done.push(next[0]);
        if (done.length >= BATCH) await acknowledge();
      } else if (!(await reading)) return;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (done.length > 0) await acknowledge();
  return { processed };
}

async function submit([, businessEntity, , sourceSystem, , sourcePKey, , record]: Fields): Promise<void> {
  const query = new URLSearchParams({ sourceSystem: sourceSystem!, sourcePKey: sourcePKey! });
  const response = await fetch(`${base}/business-entity/public/api/v1/entity/${businessEntity}?${query.toString()}`, {
    method: 'POST',
    agent,
    headers,
    body: JSON.stringify(JSON.parse(record!)),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`The MDM answered ${response.status}`);
  await response.json();
}
