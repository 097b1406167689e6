import { beforeEach, describe, expect, it } from '@jest/globals';
import { letterWords } from '../../../support/consumer/letter-words.ts';
import { redrive, type RedriveOptions } from '#lib/consumer/dead-letters/redrive.ts';
import { readStatus } from '#lib/consumer/operator/status.ts';
import { deadLetterStreamOf, supersededKeyOf } from '#lib/consumer/redis-keys.ts';
import { Deadline } from '#lib/core/deadline.ts';
import { openRedis } from '#test/support/consumer/consumer-fixture.ts';
import { isBounded, startCountedRedis } from '#test/support/redis/script-counter.ts';
import { use } from '#test/support/jest/use.ts';

/* What the scripts look at: at most 1,000 items or 256 kB, one larger entry apart, and never at a pending list. */

const GROUP = 'g';
let streams = 0;
let stream: string;
let deadLetterStream: string;
const counted = await use(startCountedRedis());
const redis = await use(openRedis(Number(new URL(counted.url).port), 20_000));
beforeEach(() => {
  stream = `portions-${++streams}`;
  deadLetterStream = deadLetterStreamOf(stream, GROUP);
});

/** Adds entries on the server itself, one for each size of a value. */
async function fill(
  key: string,
  sizes: readonly number[],
  more: (index: number) => string[] = () => [],
): Promise<void> {
  for (let from = 0; from < sizes.length; from += 500) {
    const portion = sizes.slice(from, from + 500).map((size, index) => [String(size), ...more(from + index)]);
    const script = `for _, words in ipairs(cjson.decode(ARGV[1])) do
      words[1] = string.rep('x', tonumber(words[1]))
      redis.call('XADD', KEYS[1], '*', 'name', unpack(words))
    end`;
    await counted.server.command('EVAL', script, '1', key, JSON.stringify(portion));
  }
}

const letterFields = (index: number) => [
  'k',
  `k${index}`,
  ...letterWords(
    { stream, group: GROUP },
    { sourceId: `${index + 1}-0`, reason: 'not JSON', errorType: 'MDM:CLIENT_ERROR', deliveries: 1, time: 0 },
  ),
];

/** Small entries, with some of 20 kB, of 200 kB and of a megabyte among them. */
const SIZES = Array.from({ length: 3000 }, (_, index) =>
  index % 500 === 499 ? 1e6 : index % 200 === 99 ? 2e5 : index % 20 === 9 ? 2e4 : 50,
);

function putBack(options: Partial<RedriveOptions> = {}, deadline = Deadline.after(30_000)) {
  const all = { stream, group: GROUP, deadLetterStream, count: 10_000, force: false, dryRun: false, ...options };
  return redrive(redis, all, deadline);
}

async function noteKeys(): Promise<void> {
  await counted.server.command('HSET', supersededKeyOf(stream, GROUP), 'keyFields', '["k"]');
}

describe('the scripts of stream-redrive', () => {
  it("a redrive's scripts look at letters of any number and size in portions", async () => {
    await noteKeys();
    await fill(deadLetterStream, SIZES, letterFields);
    await counted.takeLooks();

    expect(await putBack()).toMatchObject({ redriven: 3000, remaining: 0 });

    const looks = await counted.takeLooks();
    // a letter is read and written, so one larger than a portion counts twice
    expect(looks.filter((look) => !isBounded({ ...look, bytes: look.bytes - look.largest }))).toEqual([]);
    expect(looks.filter((look) => !isBounded(look) && look.largest < 128 * 1024)).toEqual([]);
    expect(looks.length).toBeGreaterThan(50);
  }, 60_000);

  it("a redrive's scripts look at portions of pending and unread entries, never at a whole list", async () => {
    await noteKeys();
    await fill(deadLetterStream, [50, 50], letterFields);
    await counted.server.command('XGROUP', 'CREATE', stream, GROUP, '0', 'MKSTREAM');
    await fill(stream, SIZES, (index) => ['k', `other${index}`]);
    await counted.server.command('XREADGROUP', 'GROUP', GROUP, 'c', 'COUNT', '1500', 'STREAMS', stream, '>');
    await counted.takeLooks();

    expect(await putBack()).toMatchObject({ redriven: 2, remaining: 0 });

    expect((await counted.takeLooks()).filter((look) => !isBounded(look))).toEqual([]);
  }, 60_000);

  it('a redrive without the time to look at all unread entries puts nothing back, and says what helps', async () => {
    await noteKeys();
    await fill(deadLetterStream, [50, 50], letterFields);
    await fill(stream, SIZES, (index) => ['k', `other${index}`]);
    let looks = 20;
    const deadline = { remainingMs: () => Math.max(0, --looks) } as unknown as Deadline;

    await expect(putBack({}, deadline)).rejects.toMatchObject({
      type: 'STREAM:COMMAND',
      status: 504,
      outcome: 'refused',
      message: expect.stringMatching(/^No dead letter was put back\. Too many entries wait .* or use force$/),
    });

    expect(await counted.server.command('XLEN', deadLetterStream)).toBe(2);
    expect(await putBack({ force: true })).toMatchObject({ redriven: 2, remaining: 0 });
  }, 60_000);

  it("a redrive's scripts tidy notes in portions", async () => {
    const notes = Array.from({ length: 3000 }, (_, index) => [
      `r:${index + 1}-0`,
      '1-0',
      `${index}`.padStart(32, 'f'),
      '0-0',
    ]);
    for (let index = 0; index < notes.length; index += 500) {
      await counted.server.command('HSET', supersededKeyOf(stream, GROUP), ...notes.slice(index, index + 500).flat());
    }
    await counted.server.command('HSET', supersededKeyOf(stream, GROUP), 'keyFields', '["k"]', 'streams', '[]');
    await counted.server.command('XADD', stream, '5000-0', 'k', 'last');
    await counted.server.command('XGROUP', 'CREATE', stream, GROUP, '$');
    await fill(deadLetterStream, SIZES.slice(0, 1000), letterFields);
    await counted.takeLooks();

    await putBack({ count: 1 });

    expect((await counted.takeLooks()).filter((look) => !isBounded(look))).toEqual([]);
    // the ages of 1,000 letters
    expect(Number(await counted.server.command('HLEN', supersededKeyOf(stream, GROUP)))).toBeLessThan(1020);
  }, 60_000);
});

it("a status's scripts look at letters in portions", async () => {
  await fill(deadLetterStream, SIZES, letterFields);
  await counted.server.command('XGROUP', 'CREATE', stream, GROUP, '0', 'MKSTREAM');
  await fill(stream, [1e6, 1e6]);
  await counted.takeLooks();

  const [row] = await readStatus(redis, { streams: [stream], group: GROUP });

  expect(row!.deadLetters).toMatchObject([{ count: 3000 }]);
  expect((await counted.takeLooks()).filter((look) => !isBounded(look))).toEqual([]);
}, 60_000);
