import { describe, expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { EntryDecoder } from '#lib/stream/entry-decoder.ts';
import type { RawEntry } from '#lib/stream/entries.ts';

const name = fc.constantFrom('a', 'b', 'c', '1', '07', 'say "hi"', 'Zoë', 'a name that is longer than others');
const fields = fc.array(fc.tuple(name, fc.constantFrom('', 'x', '"', 'ß')), { maxLength: 4 });
/** After the first two, a decoder that mixes up their names knows `b` in both places. */
const NAMES_OF_TWO_ENTRIES: [string, string][][] = [
  [
    ['a', ''],
    ['b', ''],
  ],
  [['b', '']],
  [
    ['b', ''],
    ['b', ''],
  ],
];
const raw = (pairs: [string, string][]): RawEntry => ['1-0', pairs.flat()];

describe('the entries of a stream', () => {
  it.each(['json', 'text', 'gzip'] as const)(
    'each entry of a stream is decoded with its own field names, and measured (%s)',
    (travel) => {
      fc.assert(
        fc.property(fc.array(fields, { maxLength: 8 }), (entries) => {
          const decoder = new EntryDecoder({}, travel);
          for (const pairs of entries) {
            if (new Set(pairs.map(([text]) => text)).size < pairs.length) {
              expect(() => decoder.member(raw(pairs))).toThrow('comes more than once');
              decoder.takeBytes();
              continue;
            }
            const member = decoder.member(raw(pairs));
            const json = `{${pairs.map(([text, value]) => `${JSON.stringify(text)}:${JSON.stringify(value)}`).join()}}`;
            expect(JSON.stringify(member)).toBe(`["1-0",${json}]`);
            const travels = travel === 'text' ? JSON.stringify(`"1-0":${json}`).slice(1, -1) : `"1-0":${json}`;
            expect(decoder.takeBytes()).toBeGreaterThanOrEqual(Buffer.byteLength(travels));
          }
        }),
        { numRuns: 500, examples: [[NAMES_OF_TWO_ENTRIES]] },
      );
    },
  );

  it.each(['json', 'text', 'gzip'] as const)(
    'an entry that was taken over is measured with its idle time and deliveries, deleted or not (%s)',
    (travel) => {
      const id = '18446744073709551615-18446744073709551615';
      for (const body of [['a', 'ß'], null]) {
        const decoder = new EntryDecoder({}, travel);
        const json = JSON.stringify(decoder.entry([id, body, '9007199254740991', '9007199254740991']));
        const travels = travel === 'text' ? JSON.stringify(json).slice(1, -1) : json;
        expect(decoder.takeBytes()).toBeGreaterThanOrEqual(Buffer.byteLength(travels));
      }
    },
  );
});
