import { describe, expect, it } from '@jest/globals';
import { WAYS } from '../../../support/stream/call-stream.ts';
import { FILL_SHORT } from '../../../support/stream/short-fields.ts';
import { startFixture } from '../../../support/stream/stream-fixture.ts';
import { use } from '../../../support/jest/use.ts';

const FILL_LARGE = `for at = 1, ARGV[1] do redis.call('XADD', KEYS[1], at .. '-0', 'a', string.rep('x', 100000)) end`;

const fixture = await use(startFixture({ ownRedis: true }));

describe.each(WAYS)('stream-xrange by %s', (way) => {
  const xrange = (parameters: object) => fixture.call(way, 'xrange', parameters);
  const filled = async () => {
    const key = fixture.key();
    for (const id of ['1-1', '1-2', '10-0', '9007199254740993-0']) await fixture.redis('XADD', key, id, 'id', id);
    return key;
  };
  const idsOf = (output: unknown) => Object.keys(output as object);
  /** How many connections Redis has taken, and what it has sent, in bytes. */
  const traffic = async () => {
    const info = String(await fixture.redis('INFO', 'stats'));
    const [connections, bytes] = ['total_connections_received', 'total_net_output_bytes'].map((name) =>
      Number(new RegExp(`${name}:(\\d+)`).exec(info)![1]),
    );
    return { connections: connections!, bytes: bytes! };
  };

  it.each([
    ['-', '+', ['1-1', '1-2', '10-0', '9007199254740993-0']],
    ['1', '1', ['1-1', '1-2']],
    ['(1-1', '+', ['1-2', '10-0', '9007199254740993-0']],
    ['-', '(10-0', ['1-1', '1-2']],
    ['9007199254740992', '9007199254740993', ['9007199254740993-0']],
    ['+', '-', []],
  ])('reads from %s to %s', async (start, end, ids) => {
    const { output } = await xrange({ key: await filled(), start, end });

    expect(idsOf(output)).toEqual(ids);
  });

  it('reads to the entry with the last possible id, wherever a portion of the reading ends', async () => {
    const key = fixture.key();
    const last = '18446744073709551615-18446744073709551615';
    for (let at = 1; at < 128; at++) await fixture.redis('XADD', key, `${at}-0`, 'a', 'b');
    await fixture.redis('XADD', key, last, 'a', 'b');

    const { output } = await xrange({ key, start: '-', end: '+' });
    const read = await fixture.call(way, 'xread', { streamWatermarks: [{ key, id: '0' }] });

    expect(idsOf(output)).toHaveLength(128);
    expect((read.output as Record<string, unknown[]>)[key]).toHaveLength(128);
  });

  it('reads on from the entry with the last possible id in reverse, wherever a portion of the reading ends', async () => {
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
  ])('reads entries of %s over the connection that it has, and no more than there is', async (_, fill, count) => {
    const key = fixture.key();
    await fixture.redis('EVAL', fill, '1', key, String(count));
    await xrange({ key, start: '-', end: '+', count: 1 });
    const before = await traffic();

    const { output } = await xrange({ key, start: '-', end: '+' });

    const after = await traffic();
    expect(idsOf(output)).toHaveLength(count);
    expect(after.connections - before.connections).toBe(0);
    expect(after.bytes - before.bytes).toBeLessThan(8_500_000);
  });

  it('answers the field-value pairs by entry id', async () => {
    const { output } = await xrange({ key: await filled(), start: '-', end: '1' });

    expect(output).toEqual({ '1-1': { id: '1-1' }, '1-2': { id: '1-2' } });
  });

  it.each([
    [2, ['1-1', '1-2']],
    ['1', ['1-1']],
    ['9223372036854775807', ['1-1', '1-2', '10-0', '9007199254740993-0']],
    [0, []],
    [-1, []],
  ])('returns at most count %j', async (count, ids) => {
    const { output } = await xrange({ key: await filled(), start: '-', end: '+', count });

    expect(idsOf(output)).toEqual(ids);
  });

  it('keeps every name and value', async () => {
    const key = fixture.key('ключ');
    await fixture.redis('XADD', key, '1', '__proto__', 'x', '', '', 'constructor', 'ü\u0000\n"', '😀', '\u2028');

    const { output } = await xrange({ key, start: '-', end: '+' });

    expect(Object.entries((output as Record<string, object>)['1-0']!)).toEqual([
      ['__proto__', 'x'],
      ['', ''],
      ['constructor', 'ü\u0000\n"'],
      ['😀', '\u2028'],
    ]);
  });

  it('refuses a response over 6 MB, and names count', async () => {
    const key = fixture.key();
    for (let at = 1; at <= 7; at++) await fixture.redis('XADD', key, String(at), 'value', 'x'.repeat(1024 * 1024));

    const { status, error } = await xrange({ key, start: '-', end: '+' });

    expect(error).toMatchObject({ type: 'STREAM:COMMAND', message: 'The response is over 6 MB: narrow it with count' });
    expect(status).toBe(way === 'HTTP' ? 413 : undefined);
    expect(idsOf((await xrange({ key, start: '-', end: '+', count: 2 })).output)).toEqual(['1-0', '2-0']);
  });
});

it('keeps integer-like names in the order of the entry', async () => {
  const key = fixture.key();
  await fixture.redis('XADD', key, '1', 'b', '1', '10', '2', '9', '3');

  const { text } = await fixture.lambda.post('/stream/xrange', { key, start: '-', end: '+' });

  expect(text).toBe('{"1-0":{"b":"1","10":"2","9":"3"}}');
});
