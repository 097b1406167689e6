import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Way } from '../../support/stream/call-stream.ts';
import {
  count,
  eviction,
  evictionWords,
  oddId,
  optional,
  withoutTime,
  type Case,
} from '../../support/stream/stream-cases.ts';
import { startFixture, type Fixture } from '../../support/stream/stream-fixture.ts';

let fixture: Fixture;
beforeAll(async () => (fixture = await startFixture()));
afterAll(() => fixture.stop());

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed()),
);
const names = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'MAXLEN', '*', '', '0', '10', '9'));
/** Pairs with names of their own, in any order, integer-like ones too. */
const pairs = fc.uniqueArray(fc.tuple(names, text), { minLength: 1, maxLength: 8, selector: ([name]) => name });
/** Groups and consumers, called like options too. */
const people = fc.oneof(
  text.filter((name) => name !== ''),
  fc.constantFrom('GROUP', 'STREAMS', 'COUNT', 'NOACK', 'BLOCK', 'MKSTREAM', '>', '$'),
);
const ways = fc.constantFrom<Way>('HTTP', 'direct invocation');

/** JSON as a caller writes it: names in their order, whatever they are. */
const objectJson = (entry: [string, string][]) =>
  `{${entry.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;

describe('what XADD wrote', () => {
  it('is what Redis holds, and what XRANGE, XREAD and XREADGROUP give back', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(pairs, { minLength: 1, maxLength: 3 }),
        people,
        people,
        async (name, entries, group, consumer) => {
          const key = fixture.key(name);
          await fixture.lambda.post('/stream/xgroup-create', { key, group, lastEntryId: '0', mkstream: true });
          const ids: string[] = [];
          for (const entry of entries) {
            const body = `{"key":${JSON.stringify(key)},"entry":${objectJson(entry)}}`;
            ids.push((await fixture.lambda.post('/stream/xadd', body)).text);
          }
          const read = async (operation: string, parameters: object) =>
            (await fixture.lambda.post(`/stream/${operation}`, parameters)).text;
          const byId = `{${ids.map((id, at) => `"${id}":${objectJson(entries[at]!)}`).join(',')}}`;
          const list = `[${ids.map((id, at) => `{"id":"${id}","entry":${objectJson(entries[at]!)}}`).join(',')}]`;
          const byStream = `{${JSON.stringify(key)}:${list}}`;

          expect(await fixture.redis('XRANGE', key, '-', '+')).toEqual(ids.map((id, at) => [id, entries[at]!.flat()]));
          expect(await read('xrange', { key, start: '-', end: '+' })).toBe(byId);
          expect(await read('xread', { streamWatermarks: [{ key, id: '0' }] })).toBe(byStream);
          const member = { group, consumer };
          expect(await read('xreadgroup', { ...member, streamWatermarks: [{ key, id: '>' }] })).toBe(byStream);
          expect(await read('xreadgroup', { ...member, streamWatermarks: [{ key, id: '0' }] })).toBe(byStream);
        },
      ),
      { numRuns: 60 },
    );
  });
});

const cases: fc.Arbitrary<Case> = fc.oneof(
  fc.record({ start: oddId, end: oddId, count }).map(({ start, end, count }) => ({
    operation: 'xrange',
    parameters: { start, end, count },
    raw: (key: string) => ['XRANGE', key, start, end, ...optional('COUNT', count)],
  })),
  fc
    .record({ id: oddId, noMkStream: fc.boolean(), evictionOption: fc.option(eviction, { nil: undefined }) })
    .map(({ id, noMkStream, evictionOption }) => ({
      operation: 'xadd',
      parameters: { id, noMkStream, evictionOption, entry: { a: '1' } },
      raw: (key: string) => [
        ...['XADD', key, ...(noMkStream ? ['NOMKSTREAM'] : [])],
        ...[...(evictionOption ? evictionWords(evictionOption) : []), id, 'a', '1'],
      ],
    })),
  eviction.map((evictionOption) => ({
    operation: 'xtrim',
    parameters: { evictionOption },
    raw: (key: string) => ['XTRIM', key, ...evictionWords(evictionOption)],
  })),
  fc.array(oddId, { maxLength: 3 }).map((ids) => ({
    operation: 'xdel',
    parameters: { ids },
    raw: (key: string) => ['XDEL', key, ...ids],
  })),
  fc.array(oddId, { maxLength: 3 }).map((ids) => ({
    operation: 'xack',
    parameters: { group: 'g', ids },
    raw: (key: string) => ['XACK', key, 'g', ...ids],
  })),
  fc
    .record({
      lastEntryId: oddId,
      mkstream: fc.boolean(),
      entriesRead: fc.option(fc.constantFrom(-2, -1, 0, 7), { nil: undefined }),
    })
    .map(({ lastEntryId, mkstream, entriesRead }) => ({
      operation: 'xgroup-create',
      parameters: { group: 'new', lastEntryId, mkstream, entriesRead },
      raw: (key: string) => [
        ...['XGROUP', 'CREATE', key, 'new', lastEntryId, ...(mkstream ? ['MKSTREAM'] : [])],
        ...optional('ENTRIESREAD', entriesRead),
      ],
    })),
);

/** A reply of Redis as our output says it. */
const asOutput = (operation: string, reply: unknown): unknown => {
  if (operation !== 'xrange') return reply === 'OK' ? null : reply;
  return Object.fromEntries(((reply ?? []) as [string, string[]][]).map(([id, [, a]]) => [id, { a }]));
};

describe('any combination of options', () => {
  const filled = async () => {
    const key = fixture.key();
    await fixture.redis('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');
    for (const id of ['1-1', '2-2', '3-3']) await fixture.redis('XADD', key, id, 'a', id);
    await fixture.redis('XREADGROUP', 'GROUP', 'g', 'c', 'COUNT', '2', 'STREAMS', key, '>');
    return key;
  };
  const state = async (key: string) => [
    await fixture.redis('XRANGE', key, '-', '+'),
    await fixture.redis('XPENDING', key, 'g'),
    await fixture.redis('XINFO', 'GROUPS', key),
  ];

  it('is accepted by Redis and by us with equal effect, or refused by both', async () => {
    await fc.assert(
      fc.asyncProperty(ways, cases, async (way, { operation, parameters, raw }) => {
        const [ours, theirs] = [await filled(), await filled()];

        const { output, error } = await fixture.call(way, operation, { key: ours, ...parameters });
        const reply = await fixture.redis(...raw(theirs)).catch((reason: Error) => reason);

        const refused = reply instanceof Error;
        expect([raw('key').join(' '), error !== undefined]).toEqual([raw('key').join(' '), refused]);
        if (!refused) expect(withoutTime(output ?? null)).toEqual(withoutTime(asOutput(operation, reply)));
        expect(withoutTime(await state(ours))).toEqual(withoutTime(await state(theirs)));
      }),
      { numRuns: 200 },
    );
  });
});
