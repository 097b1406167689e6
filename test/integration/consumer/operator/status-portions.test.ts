import { beforeEach, describe, expect, it } from '@jest/globals';
import { letterWords } from '../../../support/consumer/letter-words.ts';
import { readStatus } from '#lib/consumer/operator/status.ts';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { shardNames } from '#lib/consumer/scope.ts';
import type { Redis, Reply } from '#lib/redis/redis.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { openRedis } from '#test/support/consumer/consumer-fixture.ts';
import { use } from '#test/support/jest/use.ts';

const GROUP = 'g';
const SHARDS = 16;
const LETTERS = 10_000;

let bases = 0;
let base: string;
let streams: string[];
const server = await use(startRedisServer());
const redis = await use(openRedis(server.port, 20_000));
beforeEach(() => {
  base = `status-${++bases}`;
  streams = shardNames(base, SHARDS);
});

const send = <T>(...args: string[]) => redis.send({ key: '', args, decode: (reply) => reply as T });

/** Redis, with something that happens before a command is sent. */
const before = (happens: (args: readonly string[]) => Promise<unknown>): Redis => ({
  slotOf: () => 0,
  async send(command) {
    await happens(command.args.map(String));
    return redis.send(command);
  },
});

/** Writes this many dead letters of a shard. */
async function bury(stream: string, count: number, deadLetterStream = deadLetterStreamOf(stream, GROUP)) {
  const letter = { sourceId: '1-0', reason: 'not JSON', errorType: 'MDM:CLIENT_ERROR', deliveries: 1, time: 0 };
  const words = ['name', 'x'.repeat(100), ...letterWords({ stream, group: GROUP }, letter)];
  const args = ['*', ...words].map((word) => `'${word}'`).join(', ');
  for (let left = count; left > 0; left -= 1000) {
    const script = `for _ = 1, ARGV[1] do redis.call('XADD', KEYS[1], ${args}) end`;
    await send('EVAL', script, '1', deadLetterStream, String(Math.min(left, 1000)));
  }
}

describe('stream-status over 160,000 dead letters', () => {
  it('stream-status lets other clients in after each portion of 160,000 dead letters', async () => {
    for (const stream of streams) await bury(stream, LETTERS);
    let [scripts, underWay, most] = [0, 0, 0];
    const counting: Redis = {
      slotOf: () => 0,
      async send(command) {
        const isCount = command.args.some((word) => String(word).includes('XREVRANGE'));
        if (isCount) [scripts, underWay] = [scripts + 1, underWay + 1];
        most = Math.max(most, underWay);
        return redis.send(command).finally(() => isCount && underWay--);
      },
    };

    const rows = await readStatus(counting, { streams, group: GROUP });

    expect(rows.map(({ deadLetters }) => deadLetters)).toEqual(
      streams.map(() => [{ errorType: 'MDM:CLIENT_ERROR', reason: 'not JSON', count: LETTERS }]),
    );
    expect(most).toBe(1);
    expect(scripts).toBeGreaterThanOrEqual((SHARDS * LETTERS) / 250);
  }, 60_000);

  it('stream-status reads a shared dead-letter stream once for all its shards', async () => {
    const shared = `${base}:dead`;
    for (const stream of streams) await bury(stream, LETTERS / SHARDS, shared);
    let scripts = 0;
    const counting = before(async ([command]) => void (command === 'EVAL_RO' && scripts++));

    const rows = await readStatus(counting, { streams, group: GROUP, namedLetters: () => shared });

    expect(rows.map(({ deadLetters }) => deadLetters[0]!.count)).toEqual(streams.map(() => LETTERS / SHARDS));
    expect(scripts).toBeLessThanOrEqual(LETTERS / 250 + 1 + SHARDS);
  });
});

describe('changes during stream-status', () => {
  it('stream-status counts no letter twice while others arrive, and counts the current ones', async () => {
    const [stream] = streams;
    await bury(stream!, 3000);
    const busy = before(async ([command]) => void (command === 'EVAL_RO' && (await bury(stream!, 200))));

    const [row] = await readStatus(busy, { streams: [stream!], group: GROUP });

    expect(row!.deadLetters[0]!.count).toBeGreaterThanOrEqual(3000);
    expect(row!.deadLetters[0]!.count).toBeLessThanOrEqual(3400);
  });

  it('stream-status shows a group destroyed in between as missing', async () => {
    const [stream] = streams;
    await send('XGROUP', 'CREATE', stream!, GROUP, '0', 'MKSTREAM');
    const destroying = before(async ([command]) => {
      if (command === 'XPENDING') await send('XGROUP', 'DESTROY', stream!, GROUP);
    });

    const rows = await readStatus(destroying, { streams: [stream!], group: GROUP });

    expect(rows).toMatchObject([{ stream, group: GROUP, pending: 0, oldestPendingMs: null }]);
  });
});

it('stream-status loads no entry bodies, however large the oldest unread ones are', async () => {
  const large = 'x'.repeat(1_000_000);
  for (const stream of streams) await send('XADD', stream, '*', 'large', large);
  let longest = 0;
  const measuring: Redis = {
    slotOf: () => 0,
    send: (command) =>
      redis.send({
        ...command,
        decode(reply: Reply) {
          longest = Math.max(longest, JSON.stringify(reply).length);
          return command.decode(reply);
        },
      }),
  };

  const rows = await readStatus(measuring, { streams, group: GROUP });

  expect(rows.every(({ oldestUnreadMs }) => oldestUnreadMs !== null)).toBe(true);
  expect(longest).toBeLessThan(1000);
});
