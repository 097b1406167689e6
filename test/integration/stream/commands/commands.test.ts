import { describe, expect, it } from '@jest/globals';
import { WAYS } from '#test/support/stream/call-stream.ts';
import { startFixture } from '#test/support/stream/stream-fixture.ts';
import { use } from '#test/support/jest/use.ts';

/* What the comparison of every command with raw Redis, ../x-properties.test.ts, does not come upon. */

const fixture = await use(startFixture());

describe.each(WAYS)('by %s', (way) => {
  const call = (operation: string, parameters: object) => fixture.call(way, operation, parameters);
  const outputOf = async (operation: string, parameters: object) => {
    const { output, error } = await call(operation, parameters);
    expect(error).toBeUndefined();
    return output;
  };

  it.each([
    ['xack', { group: 'g', ids: ['1-0'] }, 0],
    ['xdel', { ids: ['1-0'] }, 0],
    ['xgroup-destroy', { group: 'g' }, false],
  ])('%s treats an absent stream as an empty one', async (operation, parameters, output) => {
    expect(await outputOf(operation, { key: fixture.key(), ...parameters })).toEqual(output);
  });

  it.each([
    [100, 100],
    ['200', 200],
    [0, 400], // no limit
  ])('xtrim with limit %j removes %i entries', async (limit, deleted) => {
    const key = fixture.key();
    for (let at = 0; at < 500; at++) await fixture.redis('XADD', key, '*', 'a', '1');

    const evictionOption = { maxLength: 100, exactTrimming: false, limit };
    expect(await outputOf('xtrim', { key, evictionOption })).toBe(deleted);
  });

  it('xadd-batch adds a thousand entries', async () => {
    const key = fixture.key();

    const ids = await outputOf('xadd-batch', {
      key,
      entries: Array.from({ length: 1000 }, (_, at) => ({ n: `${at}` })),
    });

    expect(ids).toHaveLength(1000);
    expect(await fixture.redis('XLEN', key)).toBe(1000);
  });

  it.each([
    ['xtrim', (references: string) => ({ evictionOption: { maxLength: 0 }, references })],
    ['xadd', (references: string) => ({ entry: { a: '1' }, evictionOption: { maxLength: 1 }, references })],
  ])(
    '%s with references "acked" removes only what every group has acknowledged, on Redis 8.2 and newer',
    async (operation, parameters) => {
      const key = fixture.key();
      for (const id of ['1-0', '2-0', '3-0']) await fixture.redis('XADD', key, id, 'a', '1');
      await fixture.redis('XGROUP', 'CREATE', key, 'g', '0');
      await fixture.redis('XREADGROUP', 'GROUP', 'g', 'one', 'COUNT', '2', 'STREAMS', key, '>');
      await fixture.redis('XACK', key, 'g', '1-0');

      const { error } = await call(operation, { key, ...parameters('acked') });

      if (error) return expect(error.message).toMatch(/it needs Redis 8\.2 or newer$/);
      const left = (await fixture.redis('XRANGE', key, '-', '3-0')) as [string][];
      expect(left.map(([id]) => id)).toEqual(['2-0', '3-0']);
    },
  );

  it('xadd refuses references without an eviction', async () => {
    const { error } = await call('xadd', { key: fixture.key(), entry: { a: '1' }, references: 'acked' });

    expect(error?.message).toContain('must have evictionOption with references');
  });

  it('xadd with `idempotency` adds an entry once for each producer, on Redis 8.6 and newer', async () => {
    const add = { key: fixture.key(), entry: { a: '1' }, idempotency: { producer: 'p', id: 'order-1' } };

    const { output: first, error } = await call('xadd', add);
    expect((await call('xadd', { ...add, id: '5-0' })).error?.message).toContain('must be * with idempotency');
    if (error) return expect(error.message).toMatch(/it needs Redis 8\.6 or newer$/);
    expect(await outputOf('xadd', add)).toBe(first);
    expect(await outputOf('xadd', { ...add, idempotency: { producer: 'q', id: 'order-1' } })).not.toBe(first);
  });
});
