import { describe, expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import { exactInteger, orderedObject, parseExact } from '#lib/core/json.ts';

const rewrite = (text: string) => JSON.stringify(parseExact(text));

/** The value of a number, by its digits: `15` and `1.5e1` have the same. */
function valueOf(token: string): string {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = BigInt(whole + fraction).toString();
  const zeros = /0*$/.exec(digits)![0].length;
  if (digits === '0') return '0';
  const power = Number(exponent) - fraction.length + zeros;
  return `${mantissa.startsWith('-') ? '-' : ''}${digits.slice(0, digits.length - zeros)}e${power}`;
}

describe('parseExact', () => {
  it.each([
    '{"id":714189942313869312}',
    '[99945678922212312345678901234,-99945678922212312345678901234]',
    '{"deep":[{"n":12345678901234567890.5}]}',
    '{"e":1e400,"tiny":1e-400}',
    '"12345678901234567890"',
    '{"12345678901234567890":"a \\"quoted\\" 12345678901234567890"}',
    '{"id":714189942313869312,"urn":"urn:mdm:714189942313869312, [12345678901234567890]"}',
    '12345678901234567890',
    '[12345678.123456789012]',
    '{"id":9007199254740993}',
  ])('keeps every digit of %s', (text) => {
    expect(rewrite(text)).toBe(text);
  });

  it('keeps the order of integer-like names', () => {
    const text = '{"b":"1","10":"2","a":"3","2":{"1":[],"0":{}}}';
    const largest = '{"b":"1","9007199254740991":"2","4294967296":"3","4294967295":"4","4294967294":"5"}';

    expect(rewrite(text)).toBe(text);
    expect(rewrite(largest)).toBe(largest);
  });

  it('keeps a field named __proto__ as a field', () => {
    const parsed = parseExact('{"__proto__":"a","1":"b"}') as object;

    expect(Object.keys(parsed)).toEqual(['__proto__', '1']);
  });

  it('returns plain numbers where they are exact', () => {
    expect(parseExact('[1,-2.5,1.5e3,9007199254740991,0.1000000000000000,1500000000000000000000]')).toEqual([
      1, -2.5, 1500, 9007199254740991, 0.1, 1.5e21,
    ]);
  });

  it.each([
    '',
    '{',
    '{"a":1234567890123456789',
    '{"1":}',
    '[01234567890123456789]',
    '{12345678901234567890:1}',
    '{"a":1, 12345678901234567890 : 2}',
    '[1-2345678901234567]',
    '[12345678901234567890 12345678901234567890]',
    'NaN',
  ])('refuses %j', (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError);
  });

  it('agrees with JSON.parse on every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);

        expect(JSON.parse(rewrite(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('never takes part of a string for a number', () => {
    const text = fc
      .array(fc.constantFrom('12345678901234567890', '"', '\\', ':', ',', '[', ' ', ']', 'e999'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(text), fc.bigInt({ min: 2n ** 60n }), (texts, id) => {
        const json = `{"id":${id},"texts":${JSON.stringify(texts)},"again":[${id}]}`;

        expect(rewrite(json)).toBe(json);
      }),
    );
  });

  it('keeps the value of any number anywhere, and returns a plain number where that has the same value', () => {
    const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?$/);
    const space = fc.constantFrom('', ' ', '\n\t');
    const item = fc.tuple(space, number, space);
    const name = fc.constantFrom('"n"', '"7"', '"\\u0037"'); // a text with a name of digits is read in another way
    fc.assert(
      fc.property(fc.array(item), item, name, (items, last, name) => {
        const list = items.map((parts) => parts.join('')).join(',');
        const text = `{"list":[${list}],${name}${last[0]}:${last.join('')}}`;
        const object = parseExact(text) as Record<string, unknown>;
        const values = Object.values(object).flat();

        expect(Object.keys(object)).toEqual(['list', JSON.parse(name)]);
        for (const [at, parsed] of values.entries()) {
          const [, token] = items[at] ?? last;
          const isPlain = Number.isFinite(Number(token)) && valueOf(String(Number(token))) === valueOf(token);
          expect([valueOf(JSON.stringify(parsed)), typeof parsed === 'number']).toEqual([valueOf(token), isPlain]);
        }
        expect(rewrite(last.join(''))).toBe(JSON.stringify(values.at(-1)));
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps the order of any names and the digits of any integers', () => {
    const name = fc.oneof(fc.nat().map(String), fc.string());
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, fc.bigInt()), { selector: ([key]) => key }), (members) => {
        const text = `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;

        expect(rewrite(text)).toBe(text);
      }),
    );
  });
});

it('exactInteger returns a number up to 2^53 and digits beyond', () => {
  expect(exactInteger('9007199254740991')).toBe(9007199254740991);
  expect(JSON.stringify(exactInteger('9223372036854775807'))).toBe('9223372036854775807');
});

it("orderedObject keeps the last of two equal names, in the first one's place", () => {
  const object = orderedObject([
    ['7', 'a'],
    ['x', 'b'],
    ['7', 'c'],
  ]);

  expect(JSON.stringify(object)).toBe('{"7":"c","x":"b"}');
});
