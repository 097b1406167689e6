import { describe, expect, it } from '@jest/globals';
import { Decoder } from '@redis/client/dist/lib/RESP/decoder.js';
import fc from '#test/support/fast-check.ts';
import { RESP_TYPES, SimpleError } from 'redis';
import { ReplyDecoder, textOrBytes, type ClientDecoder } from '#lib/redis/reply-decoder.ts';

type Value = string | null | bigint | { status: string } | { error: string } | Value[];

const encode = (value: Value): string => {
  if (value === null) return '$-1\r\n';
  if (typeof value === 'bigint') return `:${value}\r\n`;
  if (typeof value === 'string') return `$${Buffer.byteLength(value)}\r\n${value}\r\n`;
  if (Array.isArray(value)) return `*${value.length}\r\n${value.map(encode).join('')}`;
  return 'status' in value ? `+${value.status}\r\n` : `-${value.error}\r\n`;
};

const line = fc.stringMatching(/^[A-Z][A-Za-zäß0-9 ]{0,20}$/);
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme-ascii' }),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme-ascii', minLength: 300, maxLength: 600 }),
    fc.constant(null),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    fc.record({ status: line }),
    fc.record({ error: line }),
    fc.array(fc.string({ unit: 'grapheme-ascii' }), { maxLength: 70 }),
    fc.array(tie('value'), { maxLength: 6 }),
  ),
}));
const pieces = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 });
const TYPES = {
  text: { [RESP_TYPES.NUMBER]: String },
  bytes: { [RESP_TYPES.NUMBER]: String, [RESP_TYPES.BLOB_STRING]: Buffer },
  numbers: {},
};

/** What a decoder hands to the client, of bytes that arrive in pieces. */
function replies(
  make: (client: ClientDecoder) => { write(chunk: Buffer): void },
  bytes: Buffer,
  sizes: number[],
  types: object,
) {
  const got: unknown[] = [];
  const decoder = make({
    write() {},
    reset() {},
    onReply: (reply) => got.push(reply),
    onErrorReply: (error) => got.push(error),
    getTypeMapping: () => types,
  });
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    decoder.write(bytes.subarray(at, at + size));
    at += size;
  }
  return got;
}

const ours = (client: ClientDecoder) => new ReplyDecoder(client);
const clients = (client: ClientDecoder) => new Decoder({ ...client, onPush() {} });

describe('the decoder of replies', () => {
  it.each(Object.entries(TYPES))(
    'the decoder reads what the client reads, however it is split, as %s',
    (_name, types) => {
      fc.assert(
        fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), pieces, (values, sizes) => {
          const bytes = Buffer.from(values.map(encode).join(''));

          expect(replies(ours, bytes, sizes, types)).toEqual(replies(clients, bytes, [bytes.length], types));
        }),
      );
    },
  );

  it('the decoder reads invalid UTF-8 as bytes, and null lists', () => {
    const bytes = Buffer.from('*2\r\n$1\r\n\xff\r\n*-1\r\n$1\r\na\r\n', 'latin1');

    expect(replies(ours, bytes, [3], TYPES.bytes)).toEqual([[Buffer.from([0xff]), null], Buffer.from('a')]);
    expect(replies(ours, bytes, [100], TYPES.text)).toEqual([['\ufffd', null], 'a']);
  });

  it.each([3, 100])('the decoder can keep only invalid UTF-8 as bytes, in pieces of %s', (size) => {
    const bytes = Buffer.concat([
      Buffer.from('*3\r\n$3\r\n\ufffd\r\n$1\r\n'),
      Buffer.from([0xff]),
      Buffer.from('\r\n$1\r\na\r\n'),
    ]);
    const types = { [RESP_TYPES.NUMBER]: String, [RESP_TYPES.BLOB_STRING]: textOrBytes };

    expect(replies(ours, bytes, [size], types)).toEqual([['\ufffd', Buffer.from([0xff]), 'a']]);
  });

  it('the decoder reads a value of many megabytes quickly, in socket-sized packets', () => {
    const text = 'x'.repeat(2 ** 25);

    expect(replies(ours, Buffer.from(encode([text, 'end'])), [2 ** 16], TYPES.text)).toEqual([[text, 'end']]);
  });

  it('the decoder gives the client an error as an error, and an error in a list as its item', () => {
    const got = replies(ours, Buffer.from('-OOM command\r\n*2\r\n-ERR no\r\n+OK\r\n'), [100], TYPES.text);

    expect(got).toEqual([new SimpleError('OOM command'), [new SimpleError('ERR no'), 'OK']]);
  });

  it('the decoder refuses anything but RESP2, and reads on after a reset', () => {
    const got: unknown[] = [];
    const noop = () => {};
    const onReply = (reply: unknown) => got.push(reply);
    const decoder = new ReplyDecoder({
      write: noop,
      reset: noop,
      onReply,
      onErrorReply: noop,
      getTypeMapping: () => TYPES.text,
    });
    decoder.write(Buffer.from('*2\r\n$1\r\na\r\n$5\r\nab'));

    expect(() => decoder.write(Buffer.from('cde\r\n%1\r\n'))).toThrow('RESP');

    decoder.reset();
    decoder.write(Buffer.from('+OK\r\n'));
    expect(got).toEqual([['a', 'abcde'], 'OK']);
  });
});
