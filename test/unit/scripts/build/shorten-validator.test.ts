import { describe, expect, it } from '@jest/globals';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import fc from 'fast-check';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { registry } from '../../../../functions/registry.ts';
import { createAjv } from '../../../../lib/contract/compile.ts';
import { ConnectorSecret } from '../../../../lib/runtime/config.schema.ts';
import { SHARED_CODE, shortenValidator } from '../../../../scripts/build/shorten-validator.ts';

type Json = Record<string, unknown>;

const require = createRequire(import.meta.url) as (name: string) => unknown;
const schemas: [string, Json][] = [
  ['the connector configuration', ConnectorSecret as unknown as Json],
  ...registry.map(({ name, input }): [string, Json] => [name, input as unknown as Json]),
];

const ajvFor = () => createAjv({ code: { source: true } });

/** Runs the code of a CommonJS module. */
function load(code: string, modules: Record<string, unknown> = {}): unknown {
  const module = { exports: {} };
  const run = compileFunction(code, ['require', 'module', 'exports']) as (...args: unknown[]) => void;
  run((name: string) => modules[name] ?? require(name), module, module.exports);
  return module.exports;
}

function shortened(schema: Json): ValidateFunction {
  const ajv = ajvFor();
  const code = standalone.default(ajv, ajv.compile(schema));
  const short = shortenValidator(code, schema, { schema: 'schema', shared: 'shared' });
  expect(short.length).toBeLessThan(code.length);
  const modules = { schema: { default: schema }, shared: load(SHARED_CODE) };
  return (load(short, modules) as { default: ValidateFunction }).default;
}

/** What of an error reaches a caller, in its order. */
function read(errors: ValidateFunction['errors']) {
  return (errors ?? []).map(
    ({ instancePath, schemaPath, keyword, propertyName, params }: ErrorObject<string, Json>) => {
      const own = keyword === 'additionalProperties' ? params.additionalProperty : params.missingProperty;
      const hasOwn = ['required', 'additionalProperties', 'dependentRequired'].includes(keyword);
      const beside = keyword === 'dependentRequired' ? params.property : undefined;
      return [instancePath, schemaPath, keyword, propertyName, hasOwn ? own : undefined, beside];
    },
  );
}

/** Names and values that a schema knows, to reach its depths, and others. */
function valuesFor(schema: Json): fc.Arbitrary<unknown> {
  const text = JSON.stringify(schema);
  const names = [...text.matchAll(/"([\w-]+)":/g)].map(([, name]) => name!);
  const known = [...text.matchAll(/"(?:const|default)":("[^"]*"|\d+)/g)].map(
    ([, value]) => JSON.parse(value!) as unknown,
  );
  const leaf = fc.oneof(fc.constantFrom('', 'a', 'x'.repeat(300), 'https://a', 0, 1.5, -1, 1e9, true, null, ...known));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'medium' }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(fc.constantFrom('not~known/', ...names), tie('value'), { maxKeys: 8 }),
  }));
  return value;
}

describe('a shortened validator', () => {
  it.each(schemas)('finds what the long one finds, in %s', (_name, schema) => {
    const [short, long] = [shortened(schema), ajvFor().compile(schema)];

    fc.assert(
      fc.property(valuesFor(schema), (value) => {
        const [one, other] = [structuredClone(value), structuredClone(value)];
        expect(short(one)).toBe(long(other));
        expect(read(short.errors)).toEqual(read(long.errors));
        expect(one).toEqual(other); // with its defaults
      }),
      { numRuns: 60 },
    );
  });

  it('is not made where ajv writes its errors in another way', () => {
    const code =
      'const err0 = {instancePath:instancePath+"/a",schemaPath:"#/type",keyword:"type",params:{}};add(err0);';

    expect(() => shortenValidator(code, {}, { schema: 'schema', shared: 'shared' })).toThrow(
      /no longer writes its errors/,
    );
  });
});
