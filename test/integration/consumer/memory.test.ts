import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import type { Report } from '#lib/consumer/report.ts';
import { shardNames } from '#lib/consumer/scope.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { FLAGS_OF_512_MB } from '../../support/aws/container.ts';
import { use } from '../../support/jest/use.ts';

const CHILD = fileURLToPath(new URL('../../support/consumer/consumer-child.ts', import.meta.url));
const FLAGS = ['--import', './scripts/build/import-lua.ts', ...FLAGS_OF_512_MB];

const FILL = `
redis.call('XGROUP', 'CREATE', KEYS[1], 'g', ARGV[2] == 'pending' and '99999-0' or '0', 'MKSTREAM')
for n = 1, ARGV[1] do
  local id = redis.call('XADD', KEYS[1], n .. '-1', 'k', n, 'v', ARGV[3 + n % (#ARGV - 2)])
  if ARGV[2] == 'pending' then redis.call('XCLAIM', KEYS[1], 'g', 'killed', 0, id, 'FORCE', 'JUSTID') end
end
return 'ok'`;

interface Filled {
  /** Entries of a shard; their sizes are those of `bytes`, in turn, the second first. */
  count: number;
  bytes: number[];
  state: string;
  mostMb: number;
  shards?: number;
}

const server = await use(startRedisServer());

it.each([
  [
    'entries of 5 MB and 19 MB, mixed, over eight shards',
    { count: 4, bytes: [5_000_000, 19_000_000, 19_000_000], state: 'mixed', mostMb: 450, shards: 8 },
    { targetMs: 50 },
  ],
  [
    'pending entries of 5 MB and 19 MB, mixed, over eight shards',
    { count: 4, bytes: [19_000_000, 5_000_000], state: 'pending', mostMb: 450, shards: 8 },
    { targetMs: 50 },
  ],
  [
    'an entry of a few bytes and entries of 19 MB over eight shards',
    { count: 4, bytes: [19_000_000, 19_000_000, 19_000_000, 10], state: 'unread', mostMb: 450, shards: 8 },
    { targetMs: 50 },
  ],
  ['150 pending entries of 2 MB', { count: 150, bytes: [2_000_000], state: 'pending', mostMb: 330 }, { targetMs: 50 }],
  [
    '5,000 entries of 100 kB, read 5,000 at a time',
    { count: 5000, bytes: [100_000], state: 'unread', mostMb: 450 },
    { batchSize: 5000 },
  ],
])(
  'a run carries %s in bounded memory',
  async (_, { count, bytes, state, mostMb, shards }: Filled, settings) => {
    const stream = `memory:${state}`;
    const streams = shards === undefined ? [stream] : shardNames(stream, shards);
    const values = bytes.map((length) => 'x'.repeat(length));
    const args = [...FLAGS, CHILD, String(server.port), stream, JSON.stringify({ ...settings, shards })];
    let leastMb = Infinity; // what is needed, rather than one late collection on a busy machine
    for (let tries = 0; tries < 3 && leastMb >= mostMb; tries++) {
      for (const each of streams) {
        await server.command('EVAL', FILL, '1', each, String(count), state, ...values);
      }
      const { stdout } = await promisify(execFile)(process.execPath, args);
      await server.command('DEL', ...streams);

      const { report, residentMb } = JSON.parse(stdout) as { report: Report; residentMb: number };
      if (process.env.SHOW_FIGURES) console.log(`${stream}: ${residentMb} MB resident`);
      expect(report).toMatchObject({ processed: count * streams.length, pending: 0, stoppedBecause: 'drained' });
      leastMb = Math.min(leastMb, residentMb);
    }
    expect(leastMb).toBeLessThan(mostMb);
  },
  120_000,
);
