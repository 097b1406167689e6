import { expect, it } from '@jest/globals';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { ConsumerFixture, failure, openRedis, recorder, refusal } from '../../support/consumer/consumer-fixture.ts';
import { use } from '../../support/jest/use.ts';
import { isBounded, startCountedRedis } from '../../support/redis/script-counter.ts';

/*
 * What the scripts of a run look at: at most 1,000 items or 256 kB, one larger entry apart, and never at a pending
 * list.
 */

const ENTRIES = 1500;
const SIZES = Array.from({ length: ENTRIES }, (_, index) => (index % 300 === 299 ? 1e6 : index % 20 === 9 ? 3e4 : 50));

const counted = await use(startCountedRedis());
const fixture = new ConsumerFixture(counted.server);
fixture.stream = 'portions';
await use(fixture.redis);

it("a run's scripts look at pending, new and dead-lettered entries in portions", async () => {
  const redis = openRedis(Number(new URL(counted.url).port), 20_000);
  await fixture.send('XGROUP', 'CREATE', 'portions', 'g', '0', 'MKSTREAM');
  const fill = `for at, size in ipairs(cjson.decode(ARGV[1])) do
    redis.call('XADD', KEYS[1], '*', 'k', at, 'v', ({'good', 'failing', 'refused'})[at % 3 + 1], 'body', string.rep('x', size))
  end`;
  await fixture.send('EVAL', fill, '1', 'portions', JSON.stringify(SIZES));
  await fixture.send('XREADGROUP', 'GROUP', 'g', 'killed', 'STREAMS', 'portions', '>');
  await fixture.send('EVAL', fill, '1', 'portions', JSON.stringify(SIZES));
  const failed = new Set<string>();
  const target = recorder((name) => {
    if (name.endsWith('refused')) throw refusal();
    if (!name.endsWith('failing') || failed.has(name)) return;
    failed.add(name);
    throw failure();
  });
  const settings = {
    redis,
    trim: true,
    batchSize: 1000,
    concurrency: 50,
    refusalLimit: 0,
    backoffMs: 1,
    budgetMs: 60_000,
  };

  const report = await fixture.run(target, settings);

  redis.end();
  const counts = { processed: (2 * ENTRIES * 2) / 3, deadLettered: (2 * ENTRIES) / 3, pending: 0 };
  expect(report).toMatchObject({ ...counts, stoppedBecause: 'drained' });
  expect(await fixture.send('XLEN', deadLetterStreamOf('portions', 'g'))).toBe(String(report.deadLettered));
  const looks = await counted.takeLooks();
  // a letter is read and written, so one larger than a portion counts twice
  expect(looks.filter((look) => !isBounded({ ...look, bytes: look.bytes - look.largest }))).toEqual([]);
  expect(looks.filter((look) => !isBounded(look) && look.largest < 128 * 1024)).toEqual([]);
  expect(looks.length).toBeGreaterThan(100);
}, 90_000);
