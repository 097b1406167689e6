import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { registry } from '#functions/registry.ts';
import type { Form } from '#lib/contract/alternatives.ts';
import { validate } from '#lib/contract/validation.ts';
import { callerSchema, type Schema } from '#scripts/generate/caller-schema.ts';

/*
 * The validator checks rules, callers see a oneOf: both must take the same inputs. Every object with a choice, wherever
 * it is in a contract, is tried with every combination of its properties.
 */

const end = { businessEntity: 'c360.city', businessId: 'M1' };
const SAMPLES: Record<string, unknown[]> = {
  businessEntity: ['c360.city'],
  relationship: ['c360.livesIn'],
  businessId: ['M1'],
  sourceSystem: ['s'],
  sourcePKey: ['1'],
  search: ['a'],
  fields: [{ name: 'a' }],
  pageSize: [1],
  pageOffset: [0],
  recordsToReturn: [1],
  recordOffset: [0],
  allPages: [true, false],
  maxLength: [1],
  id: ['1-0'],
  exactTrimming: [true, false],
  limit: [1, '0'],
  forMs: [1],
  resume: [true],
  fieldName: ['a'],
  fieldValue: ['a', 1, true, ['a'], ['a', 'b']],
  fieldValueGroups: [[['a']]],
  code: ['DE'],
  modifiedSince: ['2026-01-31T00:00:00Z'],
  path: ['/a'],
  value: [1, null],
  body: [{}, 'a'],
  objectInternalId: ['a'],
  record: [{}],
  resolveCrosswalk: [true, false],
  sourceLastUpdated: [0],
  key: ['k'],
  group: ['g'],
  start: ['-'],
  end: ['+'],
  count: [1],
  consumer: ['c'],
  minIdleMs: [1],
};
const ENDS: Record<string, unknown[]> = { from: [end], to: [end] };
const POINTER: Record<string, unknown[]> = { from: ['/b'] };

/** Objects with a choice, wherever they are in a schema, by their place. */
function choicesIn(at: string, schema: Schema): [string, Schema][] {
  const inner = Object.entries({ ...schema.properties, ...(schema.items && { items: schema.items }) });
  return [
    ...(schema['x-alternatives'] ? [[at, schema] as [string, Schema]] : []),
    ...inner.flatMap(([name, property]) => choicesIn(`${at}/${name}`, property)),
  ];
}

/** Every combination of the properties that a choice is about; what else is required has one value. */
function* inputsOf({ properties = {}, required = [], 'x-alternatives': choices = [] }: Schema) {
  const namesOf = ({ required: needed = [], optional = [], narrowed = {} }: Form) => [
    ...needed,
    ...optional,
    ...Object.keys(narrowed),
  ];
  const chosen = new Set(choices.flat().flatMap(namesOf));
  const given: Record<string, unknown[]> = { ...SAMPLES, ...('op' in properties ? POINTER : ENDS) };
  const valuesOf = (name: string) => given[name] ?? properties[name]?.enum ?? [];
  const fixed = Object.fromEntries(
    required.filter((name) => !chosen.has(name)).map((name) => [name, valuesOf(name)[0]]),
  );
  let inputs: Record<string, unknown>[] = [fixed];
  for (const name of chosen) {
    expect([name, valuesOf(name).length]).not.toEqual([name, 0]); // a sample is missing
    inputs = inputs.flatMap((input) => [input, ...valuesOf(name).map((value) => ({ ...input, [name]: value }))]);
  }
  yield* inputs;
}

const objects = registry.flatMap(({ name, input }) => choicesIn(name, input as TSchema as Schema));

describe('alternatives', () => {
  it('the OpenAPI document describes alternatives wherever contracts have them', () => {
    const places = objects.map(([at]) => at);

    expect(places).toEqual(
      expect.arrayContaining([
        'mdm-master-read',
        'mdm-search',
        'mdm-search/filters/filter/items',
        'mdm-merge/records/items',
        'mdm-metadata-read',
        'mdm-http-request',
        'mdm-source-patch/operations/items',
        'mdm-relationship-search',
        'stream-xadd/evictionOption',
        'stream-xtrim/evictionOption',
        'stream-pause',
        'stream-xpending',
      ]),
    );
  });

  it.each(objects)('%s accepts an input if and only if one form of the OpenAPI document does', (_at, schema) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const takes = ajv.compile(callerSchema(schema));

    const differing = [...inputsOf(schema)].filter(
      (input) => (validate(schema as never, structuredClone(input)).length === 0) !== takes(input),
    );

    expect(differing).toEqual([]);
  });

  it('each alternative of a contract is accepted and refused at least once', () => {
    const counts = objects.map(([at, schema]) => {
      const results = [...inputsOf(schema)].map((input) => validate(schema as never, structuredClone(input)).length);
      return [at, results.includes(0), results.some((faults) => faults > 0)];
    });

    expect(counts).toEqual(objects.map(([at]) => [at, true, true]));
  });
});

/** What an addition may have, and what each value goes with. */
const ADDITION: Record<string, readonly unknown[]> = {
  evictionOption: [undefined, { maxLength: 1 }],
  references: [undefined, 'keep'],
  id: [undefined, '*', '1-0'],
  idempotency: [undefined, { producer: 'p', id: '1' }],
};

it("the OpenAPI document accepts the same combinations of an addition's options as stream-xadd", () => {
  const { input } = registry.find(({ name }) => name === 'stream-xadd')!;
  const takes = new Ajv2020({ strict: false }).compile(callerSchema(input));
  const additions = Object.entries(ADDITION).reduce<Record<string, unknown>[]>(
    (inputs, [name, each]) =>
      inputs.flatMap((one) => each.map((value) => (value === undefined ? one : { ...one, [name]: value }))),
    [{ key: 'k', entry: { a: '1' } }],
  );

  const results = additions.map((one) => [validate(input as never, structuredClone(one)).length === 0, takes(one)]);

  expect(results.filter(([ours, documents]) => ours !== documents)).toEqual([]);
  expect(new Set(results.map(([ours]) => ours))).toEqual(new Set([true, false]));
});
