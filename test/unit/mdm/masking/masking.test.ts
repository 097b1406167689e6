import { describe, expect, it } from '@jest/globals';
import { maskSecrets } from '#lib/mdm/masking/masking.ts';

describe('maskSecrets', () => {
  it.each<[string, string, unknown[], string]>([
    ['a key, whatever its length', 'Record 1 of HTTP 401', ['1'], 'Record … of HTTP 401'],
    ['a text of a record', 'Smith is unknown', [{ lastName: 'Smith' }], '… is unknown'],
    ['a text deep in a record', 'Smith is unknown', [{ a: [{ b: ['Smith'] }] }], '… is unknown'],
    ['a text in another case', 'SMITH is unknown', [{ lastName: 'Smith' }], '… is unknown'],
    ['a number of a record', 'income 48211 is too high', [{ income: 48211 }], 'income … is too high'],
    ['a number with a fraction', 'rate 1234.50 is too high', [{ rate: 1234.5 }], 'rate … is too high'],
    ['a negative number', 'balance -48211', [{ balance: -48211 }], 'balance -…'],
    ['a number kept exact', 'id 714189942313869312', [{ id: JSON.rawJSON('714189942313869312') }], 'id …'],
    ['a key percent-encoded', 'GET /crm/a%20b%2Fc failed', ['a b/c'], 'GET /crm/… failed'],
    ['a key encoded as a form', 'crm=a+b', ['a b'], 'crm=…'],
    ['a key encoded twice', 'GET /crm/a%2520b', ['a b'], 'GET /crm/…'],
    ['a key that looks encoded itself', 'key 50%25 off', ['50%25'], 'key … off'],
    ['a text escaped as JSON', 'got "M\\u00fcller \\"Jo\\""', [{ name: 'Müller "Jo"' }], 'got "…"'],
    ['a text escaped as HTML', 'got Jo &amp; M&#252;ller', [{ name: 'Jo & Müller' }], 'got …'],
    ['a long value inside of a word', 'id_abcdefgh1234x', ['abcdefgh1234'], 'id_…x'],
    ['a long key cut short', `key ${'k1'.repeat(40)}…`, ['k1'.repeat(100)], 'key ……'],
    ['the beginning of a long text', `"${'lorem ipsum '.repeat(5)}" is`, [{ t: 'lorem ipsum '.repeat(9) }], '"…" is'],
    ['two values side by side', 'Ada Lovelace', [{ a: 'Lovelace', b: 'Ada' }], '… …'],
    ['values that overlap', 'New York City', [{ a: 'New York', b: 'York City' }], '…'],
    ['a value as often as it stands there', 'Smith, Smith', [{ a: 'Smith', b: 'Smith' }], '…, …'],
    ['nothing of codes', 'Country DE of HTTP 40', [{ country: 'DE', n: 40 }], 'Country DE of HTTP 40'],
    ['nothing of parts of words', 'Smithson', [{ lastName: 'Smith' }], 'Smithson'],
    ['nothing of names of fields', 'lastName is required', [{ lastName: 'Smith' }], 'lastName is required'],
    ['nothing where there is nothing', 'not found', [null, undefined, '', {}, [], true], 'not found'],
  ])('masks %s', (_, text, secrets, masked) => {
    expect(maskSecrets(text, secrets)).toBe(masked);
  });

  it('masks a session of 16,000 characters, in whole or in part', () => {
    const session = Array.from({ length: 16_000 }, (_, at) => ((at * 7919) % 36).toString(36)).join('');

    expect(maskSecrets(`session ${session.slice(0, 500)}`, [session])).toBe('session …');
    expect(maskSecrets(`session ${session.slice(5_000, 5_100)}!`, [session])).toBe('session …!');
  });

  it('omits the message if there is too much to look for', () => {
    const description = 'aaa '.repeat(500);
    const record = Array.from({ length: 20_000 }, (_, at) => `aaa aaa b${at} aaa aaa`);

    expect(maskSecrets(`${description} aaa aaa b77 aaa aaa`, [record]) ?? '').not.toContain('b77');
    expect(maskSecrets('Smith', [Array.from({ length: 500_001 }, () => 'x'), 'Smith'])).toBeUndefined();
  });

  it('reads each value of a record once, however many there are', () => {
    let reads = 0;
    const counted = <T extends object>(value: T): T =>
      new Proxy(value, {
        get(target, name) {
          if (Object.hasOwn(target, name) && name !== 'length') reads++;
          return Reflect.get(target, name) as unknown;
        },
      });
    const addresses = Array.from({ length: 7_000 }, (_, at) =>
      counted({
        street: `Street ${at}`,
        city: `City${at % 100}`,
        zip: 10_000 + at,
        country: counted({ Name: 'Germany', Code: 'DE' }),
        note: `a longer note that says something of length ${at}`,
      }),
    );
    const description = 'The record is not valid: Street 777 in City77 is unknown in Germany, 10777';

    expect(maskSecrets(description, ['key-1', counted({ addresses: counted(addresses) })])).toBe(
      'The record is not valid: … in … is unknown in …, …',
    );
    expect(reads).toBe(1 + 7_000 * (1 + 5 + 2));
  });

  it('masks a word of a text of 1 MB', () => {
    const text = `${'lorem ipsum dolor sit amet '.repeat(40_000)}Smith`;

    expect(maskSecrets('"amet lorem ipsum dolor sit amet lorem ipsum" of Smith', [{ text }])).toBe('"…" of Smith');
  });
});
