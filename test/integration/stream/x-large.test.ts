import { describe, expect, it } from '@jest/globals';
import { startFixture } from '../../support/stream/stream-fixture.ts';
import { use } from '../../support/jest/use.ts';

/*
 * Streams that are larger than a response. What a group read took is in its response, and the
 * rest is still to be had.
 */

const fixture = await use(startFixture());

const FILL = `for at = 1, ARGV[1] do
  redis.call('XADD', KEYS[1], at .. '-0', 'value', ARGV[2])
end`;

/** A stream of this many entries of this many characters, and a group at its start. */
async function filled(entries: number, characters: number, { first = '', character = 'x' } = {}): Promise<string> {
  const key = fixture.key();
  await fixture.redis('EVAL', FILL, '1', key, String(entries), first + character.repeat(characters));
  await fixture.redis('XGROUP', 'CREATE', key, 'g', '0');
  return key;
}

type Streams = Record<string, { id: string; entry: { value: string } }[]>;

const member = { group: 'g', consumer: 'c' };
const readGroup = async (key: string, more: object = {}, way: 'HTTP' | 'direct invocation' = 'direct invocation') =>
  fixture.call(way, 'xreadgroup', { ...member, streamWatermarks: [{ key, id: '>' }], ...more });
const idsOf = (output: unknown) => Object.values(output as Streams).flatMap((entries) => entries.map(({ id }) => id));
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}-0`);
const pendingOf = async (key: string) => ((await fixture.redis('XPENDING', key, 'g')) as [number])[0];

describe('a group read of more than fits a response', () => {
  it.each(['direct invocation', 'HTTP'] as const)('a large group read loses nothing with noack, by %s', async (way) => {
    const key = await filled(130, 100_000);
    const ids: string[] = [];

    for (let calls = 0; calls < 10 && ids.length < 130; calls++) {
      const { output, error } = await readGroup(key, { noack: true }, way);
      expect(error).toBeUndefined();
      ids.push(...idsOf(output));
    }

    expect(ids).toEqual(numbers(130));
    expect(await pendingOf(key)).toBe(0);
  });

  it('a large group read returns nearly 6 MB, and leaves the rest undelivered', async () => {
    const key = await filled(80, 100_000);

    const { output } = await readGroup(key);

    expect(idsOf(output).length).toBeGreaterThanOrEqual(60);
    expect(await pendingOf(key)).toBe(idsOf(output).length);
  });

  it('a large group read measures the response on the wire, where quotes and control characters grow', async () => {
    const key = await filled(20, 250_000, { character: '"' });
    const controls = await filled(20, 250_000, { character: '\u0001' });

    for (const way of ['HTTP', 'direct invocation'] as const) {
      expect((await readGroup(key, {}, way)).error).toBeUndefined();
      expect((await readGroup(controls, {}, way)).error).toBeUndefined();
    }
  });

  it('a large group read returns its own history in parts too', async () => {
    const key = await filled(130, 100_000);
    await fixture.redis('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', key, '>');
    const ids: string[] = [];

    for (let calls = 0; calls < 10; calls++) {
      const { output, error } = await readGroup(key, { streamWatermarks: [{ key, id: ids.at(-1) ?? '0' }] });
      expect(error).toBeUndefined();
      if (idsOf(output).length === 0) break;
      ids.push(...idsOf(output));
    }

    expect(ids).toEqual(numbers(130));
  });

  it('a large group read returns what fits of several streams, in their order', async () => {
    const keys = [await filled(40, 100_000), await filled(40, 100_000)];

    const { output } = await readGroup('', { streamWatermarks: keys.map((key) => ({ key, id: '>' })) });
    const rest = await readGroup('', { streamWatermarks: keys.map((key) => ({ key, id: '>' })) });

    expect((output as Streams)[keys[0]!]).toHaveLength(40);
    expect([...idsOf({ second: (output as Streams)[keys[1]!] }), ...idsOf(rest.output)]).toEqual(numbers(40));
  });

  it('a group read leaves an entry too large for any response undelivered, and names its id', async () => {
    const key = await filled(1, 7_000_000);
    await fixture.redis('XADD', key, '2-0', 'value', 'small');

    const refused = await readGroup(key, { noack: true }, 'HTTP');
    const before = await pendingOf(key);
    await fixture.redis('XDEL', key, '1-0');
    const { output } = await readGroup(key);

    expect(refused).toMatchObject({ status: 413, error: { type: 'STREAM:COMMAND' } });
    expect(refused.error?.message).toMatch(/^Entry 1-0 is too large/);
    expect(before).toBe(0);
    expect(idsOf(output)).toEqual(['2-0']);
  });

  it('a group read returns what precedes an entry too large for any response', async () => {
    const key = fixture.key();
    for (const [id, length] of Object.entries({ '1-0': 5, '2-0': 7_000_000 })) {
      await fixture.redis('XADD', key, id, 'value', 'x'.repeat(length));
    }
    await fixture.redis('XGROUP', 'CREATE', key, 'g', '0');

    expect(idsOf((await readGroup(key)).output)).toEqual(['1-0']);
    expect((await readGroup(key)).error?.message).toMatch(/^Entry 2-0 /);
  });

  it('a group read returns whatever gzip makes small enough, even one large entry', async () => {
    const gzip = { headers: { 'accept-encoding': 'gzip' } };
    const many = await filled(100, 100_000);
    const large = await filled(1, 20_000_000);
    const read = (key: string) =>
      fixture.call('HTTP', 'xreadgroup', { ...member, streamWatermarks: [{ key, id: '>' }] }, gzip);

    expect(idsOf((await read(many)).output)).toEqual(numbers(100));
    expect(idsOf((await read(large)).output)).toEqual(['1-0']);
  });
});

describe.each(['HTTP', 'direct invocation'] as const)('a claim of more than fits a response, by %s', (way) => {
  const owner = { group: 'g', consumer: 'd', minIdleMs: 0 };
  /** How many entries are pending for each consumer. */
  const owners = async (key: string) => {
    const [, , , names] = (await fixture.redis('XPENDING', key, 'g')) as [number, string, string, [string, string][]];
    return Object.fromEntries(names.map(([name, pending]) => [name, Number(pending)]));
  };
  const delivered = async (entries: number, characters: number) => {
    const key = await filled(entries, characters);
    await fixture.redis('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', key, '>');
    return key;
  };

  it('xclaim returns what fits, and leaves the rest with its consumer', async () => {
    const key = await delivered(100, 100_000);

    const { output, error } = await fixture.call(way, 'xclaim', { key, ...owner, ids: numbers(100) });

    const claimed = (output as { id: string }[]).map(({ id }) => id);
    expect(error).toBeUndefined();
    expect(claimed.length).toBeGreaterThanOrEqual(55);
    expect(claimed).toEqual(numbers(claimed.length));
    expect(await owners(key)).toEqual({ c: 100 - claimed.length, d: claimed.length });
  });

  it('xautoclaim returns what fits, and continues with the rest', async () => {
    const key = await delivered(100, 100_000);
    const ids: string[] = [];

    for (let start = '0-0', calls = 0; calls === 0 || (start !== '0-0' && calls < 5); calls++) {
      const { output } = await fixture.call(way, 'xautoclaim', { key, ...owner, start, count: 1000 });
      const { next, entries } = output as { next: string; entries: { id: string }[] };
      ids.push(...entries.map(({ id }) => id));
      start = next;
    }

    expect(ids).toEqual(numbers(100));
    expect(await owners(key)).toEqual({ d: 100 });
  });

  it.each([
    ['xclaim', { ids: ['1-0'] }],
    ['xautoclaim', {}],
  ])('%s names an entry too large for any response, and leaves it where it is', async (operation, more) => {
    const key = await delivered(1, 7_000_000);

    const { error } = await fixture.call(way, operation, { key, ...owner, ...more });

    expect(error).toMatchObject({ type: 'STREAM:COMMAND', message: expect.stringMatching(/^Entry 1-0 is too large/) });
    expect(await owners(key)).toEqual({ c: 1 });
  });
});

it('xautoclaim names what was deleted before an entry too large for any response', async () => {
  const key = await filled(2, 7_000_000);
  await fixture.redis('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', key, '>');
  await fixture.redis('XDEL', key, '1-0');

  const { output } = await fixture.call('HTTP', 'xautoclaim', { key, group: 'g', consumer: 'd', minIdleMs: 0 });

  expect(output).toEqual({ next: '2-0', entries: [], deletedIds: ['1-0'] });
});

it.each([
  ['xclaim', { ids: ['1-0', '2-0'] }, (output: unknown) => output],
  ['xautoclaim', {}, (output: unknown) => (output as { entries: unknown }).entries],
])(
  '%s takes over one large entry that gzip makes small enough, as a group read does',
  async (operation, more, entriesIn) => {
    const key = await filled(2, 20_000_000);
    await fixture.redis('XREADGROUP', 'GROUP', 'g', 'c', 'NOACK', 'STREAMS', key, '>');
    await fixture.redis('XCLAIM', key, 'g', 'c', '0', '1-0', '2-0', 'FORCE', 'JUSTID');
    const gzip = { headers: { 'accept-encoding': 'gzip' } };

    const parameters = { key, group: 'g', consumer: 'd', minIdleMs: 0, ...more };
    const { output, error } = await fixture.call('HTTP', operation, parameters, gzip);

    expect(error).toBeUndefined();
    expect((entriesIn(output) as { id: string }[]).map(({ id }) => id)).toEqual(['1-0']);
    expect(await fixture.redis('XPENDING', key, 'g', '-', '+', '9', 'c')).toEqual([
      ['2-0', 'c', expect.any(Number), expect.any(Number)],
    ]);
  },
);

it.each([
  ['xinfo-stream', {}],
  ['xrevrange', { start: '-', end: '+' }],
])('%s of entries too large for any response is a 413', async (operation, more) => {
  const key = await filled(1, 7_000_000);

  const { status, error } = await fixture.call('HTTP', operation, { key, ...more });

  expect({ status, type: error?.type }).toEqual({ status: 413, type: 'STREAM:COMMAND' });
});

it.each([
  ['xinfo-groups', (key: string, name: string) => ['XGROUP', 'CREATE', key, name, '0', 'MKSTREAM'], {}],
  ['xinfo-consumers', (key: string, name: string) => ['XGROUP', 'CREATECONSUMER', key, 'g', name], { group: 'g' }],
])('%s of names too large for any response is a 413', async (operation, create, more) => {
  const key = await filled(1, 1);
  for (let at = 0; at < 7; at++) await fixture.redis(...create(key, `${at}${'x'.repeat(1_000_000)}`));

  const { status, error } = await fixture.call('HTTP', operation, { key, ...more });

  expect({ status, type: error?.type }).toEqual({ status: 413, type: 'STREAM:COMMAND' });
});

it('a group read of streams with long names fits the response', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `${'n'.repeat(100_000)}${at}`);
  const keys = names.map((name) => fixture.key(name));
  await fixture.redis('EVAL', FILL, '1', keys[0]!, '80', 'x'.repeat(100_000));
  for (const key of keys) await fixture.redis('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');
  for (const key of keys.slice(1)) await fixture.redis('XADD', key, '1-0', 'value', 'x');

  const streamWatermarks = keys.map((key) => ({ key, id: '>' }));
  const { output, error } = await readGroup('', { streamWatermarks, noack: true });

  expect(error).toBeUndefined();
  expect(idsOf(output).length).toBeGreaterThan(30);
});

it.each([
  ['xrange', (key: string) => ({ key, start: '-', end: '+' })],
  ['xread', (key: string) => ({ streamWatermarks: [{ key, id: '0' }] })],
])('a read by %s of more than fits a response is a 413, and one of less returns all', async (operation, parameters) => {
  const [over, under] = [await filled(80, 100_000), await filled(50, 100_000)];

  const refused = await fixture.call('HTTP', operation, parameters(over));
  const { output } = await fixture.call('HTTP', operation, parameters(under));

  expect(refused).toMatchObject({
    status: 413,
    error: { message: 'The response is over 6 MB: narrow it with count' },
  });
  expect(JSON.stringify(output).match(/"\d+-0"/g)).toHaveLength(50);
});
