import { expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { startFixture } from '../../support/stream/stream-fixture.ts';
import { use } from '../../support/jest/use.ts';

const fixture = await use(startFixture());

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed()),
);
const names = fc.oneof(
  text,
  fc.constantFrom('__proto__', 'constructor', 'MAXLEN', 'NOMKSTREAM', '*', '', '0', '10', '9'),
);
/** Pairs with distinct names, in any order, integer-like ones included. */
const pairs = fc.uniqueArray(fc.tuple(names, text), { minLength: 1, maxLength: 8, selector: ([name]) => name });
/** Groups and consumers, called like options too. */
const people = fc.oneof(
  text.filter((name) => name !== ''),
  fc.constantFrom('GROUP', 'STREAMS', 'COUNT', 'NOACK', 'BLOCK', 'MKSTREAM', '>', '$'),
);

/** JSON as a caller writes it, with any names in their given order. */
const objectJson = (entry: [string, string][]) =>
  `{${entry.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;

it('what XADD wrote is what Redis holds, and what XRANGE, XREAD and XREADGROUP return', async () => {
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
