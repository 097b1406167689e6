import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { GzipText } from '#lib/invocation/gzip-text.ts';

function gzip(pieces: readonly string[]): Buffer {
  const text = new GzipText();
  for (const piece of pieces) text.write(piece);
  return text.end();
}

it('any pieces of text become one gzip of the whole', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.tuple(fc.string(), fc.nat(9000)).map(([text, times]) => text.repeat(times)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      expect(gunzipSync(gzip(pieces)).toString()).toBe(pieces.join(''));
    }),
    { numRuns: 100 },
  );
});

it.each([0, 1, 2, 3])('long text survives gzip with characters of any width (%d bytes before them)', (before) => {
  const text = 'x'.repeat(before) + '😀é'.repeat(200_000);

  expect(gunzipSync(gzip([text])).equals(Buffer.from(text))).toBe(true);
});

it('pieces are compressed together: the result is no larger than gzipping the whole', () => {
  const words = ['order', 'customer', 'paid', '1001', 'München', '{"a":', '},'];
  let seed = 1;
  const next = () => (seed = (seed * 16_807) % 2_147_483_647);
  const piece = () => Array.from({ length: 40_000 }, () => words[next() % words.length]).join('');
  const pieces = Array.from({ length: 5 }, piece);

  expect(gzip(pieces).length).toBeLessThan(gzipSync(pieces.join('')).length * 1.01);
});

it('a gzip reports its size as it grows, and how much text waits to be compressed', () => {
  const text = new GzipText();
  text.write('a'.repeat(200_000));
  const short = [text.bytes, text.pending];
  text.write('a'.repeat(200_000));
  const before = text.bytes;

  expect(short).toEqual([10, 200_000]);
  expect(before).toBeGreaterThan(20);
  expect(text.pending).toBe(400_000 - 256 * 1024);
  expect(text.end().length).toBe(text.bytes);
});
