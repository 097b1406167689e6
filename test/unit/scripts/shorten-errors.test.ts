import { describe, expect, it } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { createRequire } from 'node:module';
import { shortenErrors } from '../../../scripts/build/shorten-errors.ts';
import { xadd } from '../../../functions/stream/xadd/contract.ts';
import { AJV_OPTIONS } from '../../../lib/contract/compile.ts';

const require = createRequire(import.meta.url);

function load(code: string): ValidateFunction {
  const module = { exports: {} };
  new Function('module', 'require', code)(module, require); // eslint-disable-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
  return module.exports as ValidateFunction;
}

describe('shortening the errors of a validator', () => {
  const ajv = new Ajv2020({ ...AJV_OPTIONS, keywords: [...AJV_OPTIONS.keywords], code: { source: true } });
  const code = standalone.default(ajv, ajv.compile(xadd.input));

  it('takes a sixth off', () => {
    expect(shortenErrors(code).length).toBeLessThan((code.length * 5) / 6);
  });

  it.each([
    { key: 'orders', entry: { a: '1' } },
    {},
    { key: 1, id: 'MAXLEN', entry: {}, extra: 1 },
    { key: 'a', entry: { a: 1, b: null }, evictionOption: { maxLength: -1, id: '0', limit: 5 } },
  ])('leaves what it reports of %j', (input) => {
    const [long, short] = [load(code), load(shortenErrors(code))];

    expect(short(structuredClone(input))).toBe(long(structuredClone(input)));
    expect(short.errors).toEqual(long.errors);
  });

  it('fails when ajv writes its errors in another way', () => {
    expect(() => shortenErrors(code.replaceAll('vErrors', 'errorList'))).toThrow(/another way/);
  });
});
