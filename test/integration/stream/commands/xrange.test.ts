import { describe, expect, it } from '@jest/globals';
import { WAYS } from '#test/support/stream/call-stream.ts';
import { FILL_SHORT } from '#test/support/stream/short-fields.ts';
import { startFixture } from '#test/support/stream/stream-fixture.ts';
import { use } from '#test/support/jest/use.ts';

const FILL_LARGE = `local value = string.rep('x', 100000)
for at = 1, ARGV[1] do redis.call('XADD', KEYS[1], at .. '-0', 'a', value) end`;

const fixture = await use(startFixture());

describe.each(WAYS)('stream-xrange by %s', (way) => {
  const xrange = (parameters: object) => fixture.call(way, 'xrange', parameters);
  const idsOf = (output: unknown) => Object.keys(output as object);
  /** How many connections Redis has taken, and what it has sent, in bytes. */
  const traffic = async () => {
    const info = String(await fixture.redis('INFO', 'stats'));
    const [connections, bytes] = ['total_connections_received', 'total_net_output_bytes'].map((name) =>
      Number(new RegExp(`${name}:(\\d+)`).exec(info)![1]),
    );
    return { connections: connections!, bytes: bytes! };
  };

  it('stream-xrange reads to the entry with the last possible id, wherever a portion ends', async () => {
    const key = fixture.key();
    const last = '18446744073709551615-18446744073709551615';
    for (let at = 1; at < 128; at++) await fixture.redis('XADD', key, `${at}-0`, 'a', 'b');
    await fixture.redis('XADD', key, last, 'a', 'b');

    const { output } = await xrange({ key, start: '-', end: '+' });
    const read = await fixture.call(way, 'xread', { streamWatermarks: [{ key, id: '0' }] });

    expect(idsOf(output)).toHaveLength(128);
    expect((read.output as Record<string, unknown[]>)[key]).toHaveLength(128);
  });

  it('stream-xrange reads in reverse from the entry with the last possible id, wherever a portion ends', async () => {
    const key = fixture.key();
    const last = '18446744073709551615-18446744073709551615';
    for (let at = 1; at < 200; at++) await fixture.redis('XADD', key, `${at}-0`, 'a', 'b');
    await fixture.redis('XADD', key, last, 'large', 'x'.repeat(2_000_000));

    const { output } = await fixture.call(way, 'xrevrange', { key, start: '-', end: '+' });

    expect(idsOf(output)).toHaveLength(200);
  });

  it.each([
    ['many short fields', FILL_SHORT, 14_000],
    ['100 kB', FILL_LARGE, 50],
  ])(
    'stream-xrange reads entries of %s over one connection, and little more than it returns',
    async (_, fill, count) => {
      const key = fixture.key();
      await fixture.redis('EVAL', fill, '1', key, String(count));
      await xrange({ key, start: '-', end: '+', count: 1 });
      const before = await traffic();

      const { output } = await xrange({ key, start: '-', end: '+' });

      const after = await traffic();
      expect(idsOf(output)).toHaveLength(count);
      expect(after.connections - before.connections).toBe(0);
      expect(after.bytes - before.bytes).toBeLessThan(8_500_000);
    },
  );
});
