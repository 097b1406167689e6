import { describe, expect, it } from '@jest/globals';
import { WAYS } from '#test/support/stream/call-stream.ts';
import { shortest } from '#test/support/shortest.ts';
import { startFixture } from '#test/support/stream/stream-fixture.ts';
import { use } from '#test/support/jest/use.ts';
import { until } from '#test/support/until.ts';

const fixture = await use(startFixture());

describe.each(WAYS)('stream-xread by %s', (way) => {
  const xread = (parameters: object, timeoutMs?: number) => fixture.call(way, 'xread', parameters, { timeoutMs });
  const filled = async (ids: string[]) => {
    const key = fixture.key();
    for (const id of ids) await fixture.redis('XADD', key, id, 'a', id);
    return key;
  };

  it('stream-xread reads several streams, each from its watermark', async () => {
    const [one, two, three] = [await filled(['1', '2']), await filled(['1', '2']), await filled(['1'])];

    const { output } = await xread({
      streamWatermarks: [
        { key: one, id: '0' },
        { key: two, id: '1-0' },
        { key: three, id: '1' },
      ],
    });

    expect(output).toEqual({
      [one]: [
        { id: '1-0', entry: { a: '1' } },
        { id: '2-0', entry: { a: '2' } },
      ],
      [two]: [{ id: '2-0', entry: { a: '2' } }],
    });
  });

  it.each([
    [1, 1],
    ['2', 2],
    [0, 3],
    [-1, 3],
  ])('stream-xread returns with count %j at most %i entries', async (count, length) => {
    const key = await filled(['1', '2', '3']);

    const { output } = await xread({ count, streamWatermarks: [{ key, id: '0' }] });

    expect((output as Record<string, unknown[]>)[key]).toHaveLength(length);
  });

  it('stream-xread answers {} if there is nothing new', async () => {
    const key = await filled(['1']);

    expect((await xread({ streamWatermarks: [{ key, id: '$' }] })).output).toEqual({});
    expect((await xread({ streamWatermarks: [{ key: fixture.key(), id: '0' }] })).output).toEqual({});
  });

  it('stream-xread reads the last entry with +, or says which version of Redis that needs', async () => {
    const key = await filled(['1', '2']);

    const { output, error } = await xread({ streamWatermarks: [{ key, id: '+' }] });

    if (error) expect(error.message).toMatch(/needs Redis 7\.4 or newer/);
    else expect(output).toEqual({ [key]: [{ id: '2-0', entry: { a: '2' } }] });
  });

  it.each([1, '250'])('stream-xread blocks for %j ms, and answers {}', async (block) => {
    const key = await filled(['1']);

    const took = await shortest(async () => {
      expect((await xread({ block, streamWatermarks: [{ key, id: '$' }] })).output).toEqual({});
    });

    expect(took).toBeGreaterThanOrEqual(Number(block) - 1);
    expect(took).toBeLessThan(10_000);
  });

  it.each([0, 60_000])('stream-xread limits block %i to the time of the invocation', async (block) => {
    const startedAt = performance.now();

    const { output } = await xread({ block, streamWatermarks: [{ key: fixture.key(), id: '$' }] }, 1000);

    expect(output).toEqual({});
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(performance.now() - startedAt).toBeGreaterThan(490);
  });

  it('stream-xread wakes up for a new entry', async () => {
    const key = fixture.key();

    const reading = xread({ block: 5000, streamWatermarks: [{ key, id: '$' }] });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await fixture.redis('XADD', key, '7', 'a', '7');

    expect((await reading).output).toEqual({ [key]: [{ id: '7-0', entry: { a: '7' } }] });
  });

  it('a blocking stream-xread does not delay other calls', async () => {
    const keys = [1, 2].map(() => fixture.key());
    const ended: string[] = [];
    const read = async (key: string, block?: number) => {
      const { output } = await xread({ block, streamWatermarks: [{ key, id: '$' }] });
      ended.push(Object.keys(output as object).length > 0 ? `read ${key}` : 'found nothing');
    };
    const blocked = keys.map((key) => read(key, 25_000));
    await new Promise((resolve) => setTimeout(resolve, 50));

    await read(fixture.key());
    for (const key of keys.toReversed()) {
      const count = ended.length;
      await fixture.redis('XADD', key, '7', 'a', '7');
      await until(async () => ended.length > count); // they do not wait for each other either
    }
    await Promise.all(blocked);

    expect(ended).toEqual(['found nothing', `read ${keys[1]}`, `read ${keys[0]}`]);
  });
});
