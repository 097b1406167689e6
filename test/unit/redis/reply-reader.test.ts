import { describe, expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { ReplyReader } from '#lib/redis/reply-reader.ts';

type Value = string | null | bigint | Value[];

const encode = (value: Value): string => {
  if (value === null) return '$-1\r\n';
  if (typeof value === 'bigint') return `:${value}\r\n`;
  if (typeof value === 'string') return `$${Buffer.byteLength(value)}\r\n${value}\r\n`;
  return `*${value.length}\r\n${value.map(encode).join('')}`;
};
const asText = (value: Value): unknown =>
  Array.isArray(value) ? value.map(asText) : value === null ? null : String(value);

const { list } = fc.letrec<{ list: Value[]; value: Value }>((tie) => ({
  list: fc.array(tie('value'), { maxLength: 6 }),
  value: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constant(null),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    tie('list'),
  ),
}));

function read(bytes: Buffer, sizes: readonly number[], asBytes = false) {
  const reader = new ReplyReader();
  const isComplete: boolean[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    isComplete.push(reader.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return { reply: reader.read(asBytes), isComplete };
}

describe('a large reply', () => {
  it('a large reply reads as the server sent it, however it is split, and completes with the last piece', () => {
    fc.assert(
      fc.property(list, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (value, sizes) => {
        const { reply, isComplete } = read(Buffer.from(encode(value)), sizes);

        expect(reply).toEqual(asText(value));
        expect(isComplete.indexOf(true)).toBe(isComplete.length - 1);
      }),
    );
  });

  it('a large reply keeps bytes on request, and where they are not valid UTF-8', () => {
    const broken = Buffer.from('*2\r\n$1\r\n\xff\r\n$1\r\na\r\n', 'latin1');

    expect(read(broken, [100]).reply).toEqual([Buffer.from([0xff]), Buffer.from('a')]);
    expect(read(Buffer.from('*2\r\n$1\r\na\r\n:7\r\n'), [100], true).reply).toEqual([Buffer.from('a'), '7']);
  });

  it.each(['-WRONGTYPE Operation against a key\r\n', '*-1\r\n', '$-1\r\n', '+OK\r\n'])(
    'the reader leaves %j to the client',
    (text) => {
      const { reply, isComplete } = read(Buffer.from(text), [3]);

      expect(reply).toBeUndefined();
      expect(isComplete.at(-1)).toBe(true);
    },
  );
});
