import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { startFixture } from '../../support/stream/stream-fixture.ts';
import { use } from '../../support/jest/use.ts';

/* Reads and claims of groups: nothing is taken that is not given. */

const fixture = await use(startFixture());
const docs = JSON.stringify(await fixture.redis('COMMAND', 'DOCS', 'XREADGROUP'));
const hasClaim = docs.includes('"CLAIM"');

const group = { group: 'g', consumer: 'c' };
const readGroup = (parameters: object) => fixture.call('HTTP', 'xreadgroup', { ...group, ...parameters });
const filled = async (values: string[], fields: string[] = []) => {
  const key = fixture.key();
  for (const [at, value] of values.entries()) await fixture.redis('XADD', key, `${at + 1}-0`, 'a', value, ...fields);
  await fixture.redis('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');
  return key;
};
type Row = [id: string, consumer: string, idleMs: number, deliveries: number];
const pendingOf = async (key: string, consumer: string) =>
  ((await fixture.redis('XPENDING', key, 'g', '-', '+', '100000', consumer)) as Row[]).map(([id]) => id);
const deliverTo = (key: string, consumer: string) =>
  fixture.redis('XREADGROUP', 'GROUP', 'g', consumer, 'STREAMS', key, '>');
const entriesOf = (output: unknown, key: string) =>
  (output as Record<string, { id: string; idleMs?: number; deliveries?: number }[]>)[key] ?? [];
const idsOf = (output: unknown, key: string) => entriesOf(output, key).map(({ id }) => id);

describe('a group read that takes over idle entries', () => {
  const takeOver = (key: string, more: object = {}) =>
    readGroup({ claimMinIdleMs: 0, streamWatermarks: [{ key, id: '>' }], ...more });
  const needsClaim = (name: string, run: () => Promise<void>) =>
    it(name, async () => {
      if (hasClaim) return run();
      const key = await filled(['x']);
      expect(await takeOver(key)).toMatchObject({
        status: 422,
        error: { message: expect.stringMatching('Redis 8.4') },
      });
    });

  needsClaim(
    'a group read that takes over entries claims exactly what it returns, small and large ones mixed',
    async () => {
      const values = Array.from({ length: 200 }, (_, at) => 'x'.repeat(at < 100 ? 10 : 100_000));
      const key = await filled(values);
      await deliverTo(key, 'other');
      const ids: string[] = [];

      for (let calls = 0; calls < 5 && ids.length < 200; calls++) {
        const { output, error } = await takeOver(key);
        expect(error).toBeUndefined();
        const given = idsOf(output, key);
        expect((await pendingOf(key, 'c')).length).toBeGreaterThanOrEqual(given.length);
        ids.push(...given.filter((id) => !ids.includes(id)));
        expect(await pendingOf(key, 'c')).toEqual(ids);
        await fixture.redis('XACK', key, 'g', ...given);
        ids.length = 0;
        if ((await pendingOf(key, 'other')).length === 0) return;
      }
      throw new Error('not all of them were claimed');
    },
  );

  needsClaim('a group read takes over nothing if a repeated field would be lost', async () => {
    const key = await filled(Array.from({ length: 100 }, String), ['a', 'again']);
    await deliverTo(key, 'other');

    const refused = await takeOver(key);
    const taken = await takeOver(key, { format: 'pairs' });

    expect(refused).toMatchObject({ status: 422, error: { message: expect.stringMatching(/entry 1-0 .*pairs/) } });
    expect(idsOf(taken.output, key)).toHaveLength(100);
    expect(await pendingOf(key, 'other')).toEqual([]);
  });

  needsClaim(
    'a group read that takes over entries returns idle times and deliveries, and continues with new entries',
    async () => {
      const key = await filled(['old', 'older', 'deleted']);
      await deliverTo(key, 'other');
      await fixture.redis('XCLAIM', key, 'g', 'other', '0', '1-0', 'IDLE', '60000', 'RETRYCOUNT', '7', 'JUSTID');
      await fixture.redis('XADD', key, '9-0', 'a', 'new');
      await fixture.redis('XDEL', key, '3-0');

      const { output } = await takeOver(key, { count: 2, noack: true, claimMinIdleMs: 50_000 });
      const [row] = (await fixture.redis('XPENDING', key, 'g', '-', '+', '9', 'c')) as Row[];

      expect(entriesOf(output, key)).toEqual([
        { id: '1-0', entry: { a: 'old' }, idleMs: expect.any(Number), deliveries: 7 },
        { id: '9-0', entry: { a: 'new' }, idleMs: 0, deliveries: 0 },
      ]);
      expect(entriesOf(output, key)[0]!.idleMs).toBeGreaterThanOrEqual(60_000);
      expect(row).toEqual(['1-0', 'c', expect.any(Number), 8]);
      expect(await pendingOf(key, 'other')).toEqual(['2-0', '3-0']);
    },
  );

  needsClaim('concurrent group reads take over each entry once', async () => {
    const key = await filled(Array.from({ length: 3000 }, String));
    await deliverTo(key, 'other');
    await fixture.redis(
      'XCLAIM',
      key,
      'g',
      'other',
      '0',
      ...Array.from({ length: 3000 }, (_, at) => `${at + 1}-0`),
      'IDLE',
      '60000',
      'JUSTID',
    );

    const reads = await Promise.all(
      ['c', 'd', 'e'].map((consumer) => takeOver(key, { consumer, claimMinIdleMs: 30_000 })),
    );

    const given = reads.flatMap(({ output }) => idsOf(output, key));
    expect(given).toHaveLength(3000);
    expect(new Set(given).size).toBe(3000);
  });

  needsClaim('a group read takes over from at most 100,000 pending entries, and continues with new ones', async () => {
    const key = await filled([]);
    const fill = `for at = 1, 100001 do redis.call('XADD', KEYS[1], at .. '-0', 'a', 'b') end`;
    await fixture.redis('EVAL', fill, '1', key);
    await deliverTo(key, 'other');
    await fixture.redis('XCLAIM', key, 'g', 'other', '0', '100001-0', 'IDLE', '90000000', 'JUSTID');
    await fixture.redis('XADD', key, '200000-0', 'a', 'new');

    const { output } = await takeOver(key, { claimMinIdleMs: 80_000_000 });

    expect(idsOf(output, key)).toEqual(['200000-0']);
  });
});

it.each(['18446744073709551616', '1-18446744073709551616', '99999999999999999999'])(
  'a group read with an id beyond 64 bits, %s, delivers nothing from earlier streams',
  async (id) => {
    const [one, two] = [await filled(['1']), await filled(['2'])];

    const refused = await readGroup({
      noack: true,
      streamWatermarks: [
        { key: one, id: '>' },
        { key: two, id },
      ],
    });
    const { output } = await readGroup({ streamWatermarks: [{ key: one, id: '>' }] });

    expect(refused).toMatchObject({
      status: 400,
      error: { type: 'STREAM:ARGUMENT', message: expect.stringMatching('^/streamWatermarks/1/id ') },
    });
    expect(idsOf(output, one)).toEqual(['1-0']);
  },
);

it('a claim with an id beyond 64 bits claims no earlier entry', async () => {
  const key = await filled(Array.from({ length: 600 }, String));
  await deliverTo(key, 'other');
  const ids = [...Array.from({ length: 600 }, (_, at) => `${at + 1}-0`), '18446744073709551616'];

  const refused = await fixture.call('HTTP', 'xclaim', { key, ...group, minIdleMs: 0, ids });

  expect(refused).toMatchObject({ status: 400, error: { message: expect.stringMatching('^/ids/600 ') } });
  expect(await pendingOf(key, 'c')).toEqual([]);
});

it.each(['>', '0'])(
  'a read from %s that finds nothing still updates when its consumer was seen, as in Redis',
  async (id) => {
    const [key, raw] = [await filled([]), await filled([])];
    const idleIn = async (stream: string) => {
      const [consumer] = (await fixture.redis('XINFO', 'CONSUMERS', stream, 'g')) as (string | number)[][];
      return consumer && Number(consumer[consumer.indexOf('idle') + 1]);
    };
    const readBoth = async () => {
      await readGroup({ streamWatermarks: [{ key, id }] });
      await fixture.redis('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', raw, id);
    };

    await readBoth();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const before = await idleIn(key);
    await readBoth();

    const [after, expected] = [await idleIn(key), await idleIn(raw)];
    expect(typeof after).toBe(typeof expected); // Redis 7.0 makes no consumer by a read that finds nothing new
    if (before === undefined) return;
    expect(before).toBeGreaterThanOrEqual(300);
    expect(after).toBeLessThan(before);
  },
);

it('xclaim with minIdleMs claims an entry named twice only once', async () => {
  const key = await filled(['x', 'y']);
  await deliverTo(key, 'other');
  await sleep(20);

  const claim = { key, ...group, minIdleMs: 10, ids: ['1-0', '1-0', '2-0'] };
  const { output } = await fixture.call('HTTP', 'xclaim', claim);

  expect(output).toMatchObject([{ id: '1-0' }, { id: '2-0' }]);
});

it.each(['xclaim', 'xautoclaim'])('%s refuses numbers beyond 64 bits by their names', async (operation) => {
  const more = operation === 'xclaim' ? { ids: ['1-0'], idleMs: '9223372036854775808' } : {};
  const claim = { key: await filled(['1']), ...group, minIdleMs: '9223372036854775808', ...more };

  const { error } = await fixture.call('HTTP', operation, claim);

  expect(error).toMatchObject({
    type: 'STREAM:ARGUMENT',
    message: expect.stringContaining('/minIdleMs must be an integer of 64 bits'),
  });
  if (operation === 'xclaim') expect(error!.message).toContain('/idleMs must be');
});

it('xautoclaim drops and names every deleted entry that it looks at, idle or not', async () => {
  const key = await filled(['1', '2', '3', '4']);
  await deliverTo(key, 'other');
  await fixture.redis('XCLAIM', key, 'g', 'other', '0', '3-0', '4-0', 'IDLE', '60000', 'JUSTID');
  await fixture.redis('XDEL', key, '1-0', '3-0');

  const { output } = await fixture.call('HTTP', 'xautoclaim', { key, ...group, minIdleMs: 30_000 });

  expect(output).toMatchObject({ next: '0-0', entries: [{ id: '4-0' }], deletedIds: ['1-0', '3-0'] });
  expect(await pendingOf(key, 'other')).toEqual(['2-0']);
});

it('xautoclaim stops after count deleted entries, even if none is idle', async () => {
  const key = await filled(['1', '2', '3']);
  await deliverTo(key, 'other');
  await fixture.redis('XDEL', key, '1-0', '3-0');

  const { output } = await fixture.call('HTTP', 'xautoclaim', { key, ...group, minIdleMs: 30_000, count: 1 });

  expect(output).toEqual({ next: '2-0', entries: [], deletedIds: ['1-0'] });
  expect(await pendingOf(key, 'other')).toEqual(['2-0', '3-0']);
});

it('groups and consumers with empty names can be read, claimed, acknowledged and removed', async () => {
  const key = await filled(['1', '2']);
  await fixture.redis('XGROUP', 'CREATE', key, '', '0');
  await fixture.redis('XREADGROUP', 'GROUP', '', '', 'STREAMS', key, '>');
  const call = async (operation: string, more: object = {}) =>
    (await fixture.call('HTTP', operation, { key, group: '', ...more })).output;

  expect(await call('xpending')).toMatchObject({ count: 2, consumers: [{ name: '', pending: 2 }] });
  expect(await call('xpending', { start: '-', end: '+', count: 9, consumer: '' })).toHaveLength(2);
  expect(await call('xinfo-consumers')).toMatchObject([{ name: '', pending: 2 }]);
  expect(await call('xclaim', { consumer: '', minIdleMs: 0, ids: ['1-0'] })).toMatchObject([{ id: '1-0' }]);
  expect(await call('xack', { ids: ['1-0'] })).toBe(1);
  expect(await call('xgroup-delconsumer', { consumer: '' })).toBe(1);
  expect(await call('xgroup-destroy')).toBe(true);
});

it.each([
  ['xautoclaim', { consumer: '', minIdleMs: 0 }],
  ['xgroup-createconsumer', { consumer: '' }],
  ['xgroup-create', { mkstream: false }],
  ['xgroup-setid', { lastEntryId: '0' }],
])('%s refuses an empty name', async (operation, more) => {
  const { error } = await fixture.call('HTTP', operation, { key: 's', group: '', ...more });

  expect(error).toMatchObject({
    type: 'STREAM:ARGUMENT',
    message: expect.stringMatching('must have at least 1 character'),
  });
});

it('xgroup-setid accepts - for the place before the first entry', async () => {
  const key = await filled(['1']);
  await deliverTo(key, 'other');

  expect(await fixture.call('HTTP', 'xgroup-setid', { key, group: 'g', lastEntryId: '-' })).toMatchObject({
    status: 204,
  });
  expect(idsOf((await readGroup({ streamWatermarks: [{ key, id: '>' }] })).output, key)).toEqual(['1-0']);
});
