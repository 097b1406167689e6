import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { deadLetterStreamOf, leaseKeyOf, stateKeyOf } from '#lib/consumer/redis-keys.ts';
import { failure, forbidden, outage, recorder, refusal } from '../../support/consumer/consumer-fixture.ts';
import { useConsumer } from '../../support/consumer/use-consumer.ts';
import { until } from '../../support/until.ts';

const fixture = await useConsumer('isolation');

const entries = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}=1`);
const isBad = (name: string) => name.startsWith('bad');

it.each([
  ['with 503', async () => Promise.reject(outage())],
  ['with 500', async () => Promise.reject(failure())],
  ['with 403', async () => Promise.reject(forbidden())],
  ['by hanging until they time out', async () => sleep(200).then(() => Promise.reject(outage()))],
])('five keys that always fail %s do not keep one run from carrying 500 others', async (_, fail) => {
  await fixture.add(...entries(5, 'bad'), ...entries(500, 'good'));
  const target = recorder(async (name) => void (isBad(name) ? await fail() : await sleep(2)));

  const report = await fixture.run(target, { backoffMs: 60_000, budgetMs: 10_000 });

  expect(report).toMatchObject({ processed: 500, lag: 0, stoppedBecause: 'drained' });
  expect(target.attempted.length).toBeLessThanOrEqual(510);
});

describe('a target that refuses everything', () => {
  it.each([
    ['403', forbidden, 0],
    ['422', refusal, 25],
  ])(
    'a target that refuses everything with %s stops the run, and almost nothing is dead-lettered',
    async (_, error, mostBuried) => {
      await fixture.add(...entries(3000, 'k'));
      const target = recorder(() => Promise.reject(error()));

      const report = await fixture.run(target, { concurrency: 1, budgetMs: 3000 });

      expect(report).toMatchObject({ processed: 0, stoppedBecause: 'target-refuses' });
      expect(report.deadLettered).toBeLessThanOrEqual(mostBuried);
      expect(target.attempted.length).toBeLessThanOrEqual(25);
      expect(await fixture.run(target)).toMatchObject({ read: 0, stoppedBecause: 'upstream-unavailable' });
    },
  );

  it('with refusalLimit 0, every refused entry becomes a dead letter immediately', async () => {
    await fixture.add(...entries(100, 'k'));

    const report = await fixture.run(
      recorder(() => Promise.reject(forbidden())),
      { refusalLimit: 0 },
    );

    expect(report).toMatchObject({ deadLettered: 100, pending: 0, stoppedBecause: 'drained' });
  });
});

it('an outage costs a few attempts per run, and opens the breaker for longer each time until a success', async () => {
  await fixture.add(...entries(500, 'k'));
  let isDown = true;
  const target = recorder(() => (isDown ? Promise.reject(failure()) : undefined));
  const options = { concurrency: 10, budgetMs: 700, backoffMs: 1, maxDeliveries: 3 };
  const rests: number[] = [];
  for (let run = 0; run < 4; run++) {
    const report = await fixture.run(target, options);
    expect(report).toMatchObject({ stoppedBecause: 'upstream-unavailable', deadLettered: 0, processed: 0 });
    rests.push(await fixture.send<number>('PTTL', `{${fixture.stream}}:rest:g`).then(Number));
    await fixture.send('DEL', `{${fixture.stream}}:rest:g`);
  }

  expect(rests.map((ms) => Math.round(ms / 1000))).toEqual([1, 2, 4, 8]);
  expect(target.attempted.length).toBeLessThanOrEqual(15 + 1 + 1 + 2 + 4);
  isDown = false;
  const report = await fixture.run(target, { ...options, budgetMs: 10_000 });
  expect(report).toMatchObject({ processed: 500, deadLettered: 0, pending: 0, stoppedBecause: 'drained' });
  expect(await fixture.send('HGET', `{${fixture.stream}}:state:g`, 'level')).toBeNull();
}, 20_000);

it.each([
  ['has just been read', 0],
  ['was left pending by another run', 2],
])(
  'an entry with invalid UTF-8 is dead-lettered with its bytes, but one with U+FFFD is carried: it %s',
  async (_when, left) => {
    const bytes = Buffer.from([0x31, 0xff, 0xfe]);
    const args = ['XADD', fixture.stream, '*', 'k', 'a', 'v', bytes];
    await fixture.redis.send({ key: fixture.stream, args, decode: String });
    await fixture.add('b=\ufffd');
    if (left > 0) {
      await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0');
      await fixture.send('XREADGROUP', 'GROUP', 'g', 'c', 'COUNT', String(left), 'STREAMS', fixture.stream, '>');
    }
    const target = recorder();

    const report = await fixture.run(target);

    expect(target.processed).toEqual(['b=\ufffd']);
    expect(report).toMatchObject({ processed: 1, deadLettered: 1 });
    const [letter] = await fixture.deadLetters();
    expect(letter).toMatchObject({ k: 'a', 'dl-error-type': 'CONNECTOR:ENCODING' });
    const hex = `local e = redis.call('XRANGE', KEYS[1], '-', '+')[1][2] for i = 1, #e, 2 do if e[i] == 'v' then return redis.sha1hex(e[i + 1]) end end`;
    const { createHash } = await import('node:crypto');
    const digest = await fixture.send<string>('EVAL', hex, '1', `{${fixture.stream}}:dead:g`);
    expect(digest).toBe(createHash('sha1').update(bytes).digest('hex'));
  },
);

describe('what Redis keeps of failures expires', () => {
  it('after the stream was deleted while an attempt failed', async () => {
    await fixture.add('a=1');
    const target = recorder(async () => {
      await fixture.send('DEL', fixture.stream);
      throw failure();
    });

    await fixture.run(target);

    expect(Number(await fixture.send('PTTL', stateKeyOf(fixture.stream, 'g')))).toBeGreaterThan(0);
  });

  it('after a crash was counted', async () => {
    const state = stateKeyOf(fixture.stream, 'g');
    await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0', 'MKSTREAM');
    await fixture.send('HSET', state, 'alone', '1-0', 'alone-by', 'a killed run');
    await fixture.send('PEXPIRE', state, '60000');
    await fixture.add('a=1');
    const left: unknown[] = [];
    const target = recorder(async () => {
      left.push(await fixture.send('HGETALL', state), Number(await fixture.send('PTTL', state)));
    });

    await fixture.run(target);

    expect(left).toEqual([['c:1-0', '1'], expect.any(Number)]);
    expect(left[1]).toBeGreaterThan(0);
  });
});

it('two streams whose names differ only in braces share no lease, letters or failures', async () => {
  const plain = `${fixture.stream}-x`;
  const reports: object[] = [];
  for (const stream of [plain, `{${plain}}`]) {
    fixture.stream = stream;
    await fixture.add('good=1', 'bad=1', 'poor=1');
  }
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const carry = async (stream: string, refused: string) => {
    const target = recorder(async (name) => {
      if (name.startsWith('good')) await promise; // until both hold their leases
      if (name.startsWith(refused)) throw refusal();
      if (name.startsWith('poor')) throw failure();
    });
    fixture.stream = stream;
    const run = fixture.run(target, { backoffMs: 60_000 });
    await until(async () => target.attempted.length === 3);
    return run;
  };

  const first = carry(plain, 'bad');
  await until(async () => (await fixture.send('EXISTS', leaseKeyOf(plain, 'g'))) === '1');
  const second = carry(`{${plain}}`, 'nothing');
  await until(async () => (await fixture.send('EXISTS', leaseKeyOf(`{${plain}}`, 'g'))) === '1');
  resolve(undefined);
  reports.push(await first, await second);

  expect(reports).toMatchObject([
    { processed: 1, deadLettered: 1, failed: 1, pending: 1 },
    { processed: 2, deadLettered: 0, failed: 1, pending: 1 },
  ]);
  expect(await fixture.deadLetters(deadLetterStreamOf(plain, 'g'))).toHaveLength(1);
  expect(await fixture.deadLetters(deadLetterStreamOf(`{${plain}}`, 'g'))).toHaveLength(0);
  const states = [plain, `{${plain}}`].map((stream) => stateKeyOf(stream, 'g'));
  const failing = await Promise.all(states.map((state) => fixture.send<string[]>('HKEYS', state)));
  for (const fields of failing) expect(fields.filter((name) => name.startsWith('e:'))).toHaveLength(1);
});
