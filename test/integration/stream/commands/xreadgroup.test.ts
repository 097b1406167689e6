import { describe, expect, it } from '@jest/globals';
import { WAYS } from '#test/support/stream/call-stream.ts';
import { shortest } from '#test/support/shortest.ts';
import { startFixture } from '#test/support/stream/stream-fixture.ts';
import { use } from '#test/support/jest/use.ts';

const fixture = await use(startFixture());

describe.each(WAYS)('stream-xreadgroup by %s', (way) => {
  const xreadgroup = (parameters: object, timeoutMs?: number) =>
    fixture.call(way, 'xreadgroup', { group: 'g', consumer: 'c', ...parameters }, { timeoutMs });
  const filled = async (ids: string[]) => {
    const key = fixture.key();
    await fixture.redis('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');
    for (const id of ids) await fixture.redis('XADD', key, id, 'a', id);
    return key;
  };
  const pending = async (key: string) => ((await fixture.redis('XPENDING', key, 'g')) as [number])[0];

  it('stream-xreadgroup delivers each new entry of several streams once', async () => {
    const [one, two] = [await filled(['1', '2']), await filled(['3'])];
    const streamWatermarks = [one, two].map((key) => ({ key, id: '>' }));

    const first = await xreadgroup({ streamWatermarks });
    const second = await xreadgroup({ streamWatermarks });

    expect(first.output).toEqual({
      [one]: [
        { id: '1-0', entry: { a: '1' } },
        { id: '2-0', entry: { a: '2' } },
      ],
      [two]: [{ id: '3-0', entry: { a: '3' } }],
    });
    expect(second.output).toEqual({});
    expect(await pending(one)).toBe(2);
  });

  it('stream-xreadgroup delivers what fits, without losing large entries behind it or blocking Redis', async () => {
    const key = await filled([]);
    const fill = `for at = 1, 20 do redis.call('XADD', KEYS[1], at .. '-0', 'a', 'b') end
      for at = 101, 240 do redis.call('XADD', KEYS[1], at .. '-0', 'a', ARGV[1]) end`;
    await fixture.redis('EVAL', fill, '1', key, 'x'.repeat(3_000_000));
    await fixture.redis('SLOWLOG', 'RESET');

    const { output } = await xreadgroup({ streamWatermarks: [{ key, id: '>' }], noack: true });

    const slow = (await fixture.redis('SLOWLOG', 'GET', '100')) as [id: number, at: number, micros: number][];
    const delivered = (output as Record<string, unknown[]>)[key]!;
    expect(delivered.length).toBeGreaterThanOrEqual(20);
    const [[, , , , , , , last]] = (await fixture.redis('XINFO', 'GROUPS', key)) as [string[]];
    expect(last).toBe((delivered.at(-1) as { id: string }).id);
    for (const [, , micros] of slow) expect(micros).toBeLessThan(1_000_000);
    await fixture.redis('DEL', key);
  });

  it('stream-xreadgroup returns at most count entries', async () => {
    const key = await filled(['1', '2', '3']);

    const { output } = await xreadgroup({ count: 2, streamWatermarks: [{ key, id: '>' }] });

    expect((output as Record<string, unknown[]>)[key]).toHaveLength(2);
  });

  it('stream-xreadgroup leaves nothing pending with noack', async () => {
    const key = await filled(['1']);

    const { output } = await xreadgroup({ noack: true, streamWatermarks: [{ key, id: '>' }] });

    expect(output).toEqual({ [key]: [{ id: '1-0', entry: { a: '1' } }] });
    expect(await pending(key)).toBe(0);
  });

  it("stream-xreadgroup reads the consumer's pending entries, and a deleted one as null", async () => {
    const key = await filled(['1', '2', '3']);
    await xreadgroup({ streamWatermarks: [{ key, id: '>' }] });
    await fixture.redis('XDEL', key, '2');

    const { output } = await xreadgroup({ block: 1000, streamWatermarks: [{ key, id: '0' }] });

    expect(output).toEqual({
      [key]: [
        { id: '1-0', entry: { a: '1' } },
        { id: '2-0', entry: null },
        { id: '3-0', entry: { a: '3' } },
      ],
    });
  });

  it('stream-xreadgroup answers an empty list if nothing is pending', async () => {
    const key = await filled([]);

    expect((await xreadgroup({ streamWatermarks: [{ key, id: '0' }] })).output).toEqual({ [key]: [] });
  });

  it('stream-xreadgroup blocks, and answers {}', async () => {
    const key = await filled([]);

    const took = await shortest(async () => {
      expect((await xreadgroup({ block: 200, streamWatermarks: [{ key, id: '>' }] })).output).toEqual({});
    });

    expect(took).toBeGreaterThanOrEqual(199);
    expect(took).toBeLessThan(10_000);
  });

  it('stream-xreadgroup fails with 404 if the group is destroyed while it blocks', async () => {
    const key = await filled([]);

    const reading = xreadgroup({ block: 5000, streamWatermarks: [{ key, id: '>' }] });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await fixture.redis('DEL', key);
    const { status, error } = await reading;

    expect(error?.type).toBe('STREAM:COMMAND');
    expect(status).toBe(way === 'HTTP' ? 404 : undefined);
  });
});
