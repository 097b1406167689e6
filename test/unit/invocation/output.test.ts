import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { randomText } from '#test/support/contract/error-cases.ts';
import fc from '#test/support/fast-check.ts';
import { MAX_RESPONSE_BYTES, Output, type Travel, type WrittenOutput } from '#lib/invocation/output.ts';

const MB = 1024 * 1024;
const TRAVELS = ['json', 'text', 'gzip'] as const;
function readBack({ content }: WrittenOutput<unknown>): unknown {
  if ('value' in content) return JSON.parse(JSON.stringify(content.value));
  return JSON.parse('text' in content ? content.text : gunzipSync(content.gzip).toString());
}

function outputWith(travel: Travel, ...texts: string[]): Output {
  const output = new Output(travel);
  for (const [at, text] of texts.entries()) output.add([[`text ${at}`, text]], travel === 'gzip' ? 0 : text.length);
  return output;
}

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.tuple(fc.string(), fc.nat(20_000)).map(([text, times]) => text.repeat(times)),
);
const portions = fc.array(fc.array(value, { maxLength: 3 }), { minLength: 1, maxLength: 3 });

describe.each(TRAVELS)('an output that travels as %s', (travel) => {
  const isSame = (output: Output, expected: [name: string, value: unknown][]) =>
    expect(readBack(output.end())).toStrictEqual(JSON.parse(JSON.stringify(Object.fromEntries(expected))));

  it(`an output as ${travel} holds all members of all portions`, () => {
    fc.assert(
      fc.property(portions, (parts) => {
        const output = new Output(travel);
        const named = parts.map((values, part) =>
          values.map((each, at): [string, unknown] => [`"${part}-${at}`, each]),
        );
        for (const members of named) output.add(members, 0);

        isSame(output, named.flat());
      }),
    );
  });

  it(`an output as ${travel} holds all items of all lists`, () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), portions, { maxKeys: 3 }), (lists) => {
        const output = new Output(travel);
        for (const [name, parts] of Object.entries(lists)) for (const items of parts) output.append(name, items, 0);

        isSame(
          output,
          Object.entries(lists).map(([name, parts]) => [name, parts.flat()]),
        );
      }),
    );
  });
});

describe('a gzipped output', () => {
  it('a gzipped output is too large if its gzip is', () => {
    expect(outputWith('gzip', randomText(5.5 * MB)).isTooLarge).toBe(false);
    expect(outputWith('gzip', randomText(6.5 * MB)).isTooLarge).toBe(true);
  });

  it.each([0, 100_000, 3_000_000])(
    'a gzipped output with %d bytes has room for as many as it says are left, however badly they compress',
    (bytes) => {
      const output = outputWith('gzip', randomText(bytes));
      const { left } = output;
      output.add([['more', randomText(left - 20)]], 0);

      expect(output.isTooLarge).toBe(false);
      expect(new Output('gzip').left - left).toBeGreaterThanOrEqual(0.7 * bytes);
      expect(left).toBeGreaterThan((MAX_RESPONSE_BYTES - 1.34 * bytes) / 1.36);
    },
  );

  it('a gzipped output has no room for more than 64 MB of text, however well it compresses', () => {
    const output = outputWith('gzip', 'x'.repeat(61 * MB));

    expect(output.left).toBeLessThanOrEqual(3 * MB);
    output.add([['more', 'x'.repeat(3 * MB)]], 0);
    expect(output).toMatchObject({ left: 0, isTooLarge: true });
  });

  it('a gzipped output has room for a text if the gzip of the text fits', () => {
    expect(new Output('gzip').fits(randomText(5.5 * MB))).toBe(true);
    expect(new Output('gzip').fits(randomText(6.5 * MB))).toBe(false);
    expect(outputWith('gzip', randomText(3 * MB)).fits(randomText(3 * MB))).toBe(false);
  });
});

it.each([
  ['text', 6],
  ['gzip', 64],
] as const)('a read whose output travels as %s loads at most %d MB of text', (travel, megabytes) => {
  expect(new Output(travel).textLimit).toBe(megabytes * MB);
});

it('an output as text is too large with more than 6 MB', () => {
  expect(outputWith('text', 'x'.repeat(6 * MB - 20)).isTooLarge).toBe(false);
  expect(outputWith('text', 'x'.repeat(6 * MB)).isTooLarge).toBe(true);
});

it('names of lists take room before their items do', () => {
  const output = new Output('text');
  const { left } = output;
  output.reserve(['orders', 'a"b']);

  expect(left - output.left).toBeGreaterThanOrEqual(JSON.stringify('{"orders":[],"a\\"b":[]}').length);
});

it.each(['text', 'json'] as const)('an output sent as %s is measured unless it is certain to fit', (travel) => {
  const isSureToFit = (bytesLeft: number, write: (output: Output, bytes: number) => void) => {
    const output = new Output(travel);
    write(output, output.left - bytesLeft);
    expect(output.left).toBe(Math.max(0, bytesLeft));
    return output.end().isSureToFit;
  };
  const lefts = [1, 0, -1, -MAX_RESPONSE_BYTES];

  const ofLists = lefts.map((left) => isSureToFit(left, (output, bytes) => output.append('orders', ['one'], bytes)));
  const ofMembers = lefts.map((left) => isSureToFit(left, (output, bytes) => output.add([['1-0', 'one']], bytes)));

  expect(ofLists).toEqual([true, false, false, false]);
  expect(ofMembers).toEqual(ofLists);
});

it('a gzipped output is always measured, and is text until there are 256 kB of it', () => {
  const [short, long] = [200_000, 300_000].map((length) => outputWith('gzip', 'x'.repeat(length)).end());

  expect(short).toEqual({ content: { text: expect.any(String) }, isSureToFit: false });
  expect(long).toEqual({ content: { gzip: expect.any(Buffer) }, isSureToFit: false });
  expect(outputWith('text', 'x'.repeat(300_000)).end().content).toEqual({ text: expect.any(String) });
});
