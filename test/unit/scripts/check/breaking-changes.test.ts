import { describe, expect, it } from '@jest/globals';
import type { Api, Response } from '#scripts/check/api-shape.ts';
import type { Schema } from '#scripts/generate/caller-schema.ts';
import { breakingChanges } from '#scripts/check/breaking-changes.ts';

interface Described {
  input?: Schema;
  output?: Schema;
  media?: string;
  responses?: Record<string, Response>;
}
const api = ({
  input = {},
  output = { type: 'integer' },
  media = 'application/json',
  responses = {},
}: Described): Api => ({
  paths: {
    '/stream/xadd': {
      post: {
        requestBody: { content: { 'application/json': { schema: input } } },
        responses: { 200: { content: { [media]: { schema: output } } }, ...responses },
      },
    },
  },
});
const object = (properties: Record<string, Schema>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const problem = (...types: string[]): Response => ({
  content: { 'application/problem+json': { schema: object({ type: { type: 'string', enum: types } }) } },
});
const text = { type: 'string' };
const mode = { type: 'string', enum: ['a', 'b'] };
const bounded: Schema = object({
  name: { type: 'string', minLength: 1, maxLength: 10, pattern: '^a' },
  count: { type: 'integer', minimum: 1, maximum: 10 },
  ids: { type: 'array', items: { type: 'string', maxLength: 10 }, minItems: 1, maxItems: 10 },
  fields: { type: 'object', additionalProperties: { type: 'string', maxLength: 10 } },
  free: { type: ['string', 'number'] },
});
const input = object({ key: text, mode, inner: bounded }, ['key']);
const responses = { 404: problem('STREAM:COMMAND'), 409: problem('STREAM:WRONG_TYPE', 'STREAM:COMMAND') };
const before = api({ input, responses });

/** The input with one of the bounded properties described otherwise. */
const narrowed = (name: string, schema: Schema) =>
  api({
    input: object({ key: text, mode, inner: object({ ...bounded.properties, [name]: schema }) }, ['key']),
    responses,
  });

describe('a breaking change', () => {
  it.each<[string, Api, string]>([
    ['a route that is gone', { paths: {} }, 'POST /stream/xadd is gone'],
    ['a parameter that is gone', api({ input: object({ key: text }, ['key']) }), 'POST /stream/xadd/mode is gone'],
    [
      'a new parameter that is required',
      api({ input: object({ key: text, mode, id: text }, ['key', 'id']) }),
      'POST /stream/xadd/id is required now',
    ],
    [
      'a parameter that was optional',
      api({ input: object({ key: text, mode }, ['key', 'mode']) }),
      'POST /stream/xadd/mode is required now',
    ],
    [
      'another type',
      api({ input: object({ key: { type: 'integer' }, mode }, ['key']) }),
      'POST /stream/xadd/key is no string any more',
    ],
    [
      'a value less',
      api({ input: object({ key: text, mode: { type: 'string', enum: ['a'] } }, ['key']) }),
      'POST /stream/xadd/mode does not take "b" any more',
    ],
    [
      'values where there were none',
      api({ input: object({ key: { type: 'string', enum: ['a'] }, mode }, ['key']) }),
      'POST /stream/xadd/key does not take "any other value" any more',
    ],
    [
      'a longer least length',
      narrowed('name', { type: 'string', minLength: 2, maxLength: 10, pattern: '^a' }),
      'POST /stream/xadd/inner/name has minLength 2 now',
    ],
    [
      'a shorter length',
      narrowed('name', { type: 'string', minLength: 1, maxLength: 9, pattern: '^a' }),
      'POST /stream/xadd/inner/name has maxLength 9 now',
    ],
    [
      'another pattern',
      narrowed('name', { type: 'string', pattern: '^ab' }),
      'POST /stream/xadd/inner/name has pattern ^ab now',
    ],
    [
      'a pattern where there was none',
      narrowed('free', { type: ['string', 'number'], pattern: '^a' }),
      'POST /stream/xadd/inner/free has pattern ^a now',
    ],
    [
      'a higher minimum',
      narrowed('count', { type: 'integer', minimum: 2, maximum: 10 }),
      'POST /stream/xadd/inner/count has minimum 2 now',
    ],
    [
      'a lower maximum',
      narrowed('count', { type: 'integer', minimum: 1, maximum: 9 }),
      'POST /stream/xadd/inner/count has maximum 9 now',
    ],
    [
      'a range where there was none',
      narrowed('free', { type: ['string', 'number'], minimum: 0 }),
      'POST /stream/xadd/inner/free has minimum 0 now',
    ],
    [
      'fewer items',
      narrowed('ids', { type: 'array', items: text, minItems: 1, maxItems: 9 }),
      'POST /stream/xadd/inner/ids has maxItems 9 now',
    ],
    [
      'more items at least',
      narrowed('ids', { type: 'array', items: text, minItems: 2 }),
      'POST /stream/xadd/inner/ids has minItems 2 now',
    ],
    [
      'shorter items',
      narrowed('ids', { type: 'array', items: { type: 'string', maxLength: 9 } }),
      'POST /stream/xadd/inner/ids/* has maxLength 9 now',
    ],
    [
      'fewer fields',
      narrowed('fields', { type: 'object', maxProperties: 3 }),
      'POST /stream/xadd/inner/fields has maxProperties 3 now',
    ],
    [
      'shorter values of free fields',
      narrowed('fields', { type: 'object', additionalProperties: { type: 'string', maxLength: 1 } }),
      'POST /stream/xadd/inner/fields/* has maxLength 1 now',
    ],
    ['an output of another type', api({ input, output: text }), 'POST /stream/xadd: 200 may be string now'],
    [
      'another media type',
      api({ input, media: 'text/csv' }),
      'POST /stream/xadd: 200 is not application/json any more',
    ],
    [
      'an error status that is gone',
      api({ input, responses: { 404: responses[404] } }),
      'POST /stream/xadd has no 409 any more',
    ],
    [
      'an error type that is gone',
      api({ input, responses: { 404: responses[404], 409: problem('STREAM:COMMAND') } }),
      'POST /stream/xadd has no STREAM:WRONG_TYPE any more',
    ],
  ])('a breaking change is reported: %s', (_what, after, message) => {
    expect(breakingChanges(before, after)).toContain(message);
  });

  it('it is a breaking change if an output may miss a member or have another value', () => {
    const old = api({ output: object({ run: mode }, ['run']) });

    expect(breakingChanges(old, api({ output: object({ run: mode }) }))).toEqual([
      'POST /stream/xadd: 200/run may be missing now',
    ]);
    const more = object({ run: { type: 'string', enum: ['a', 'b', 'c'] } }, ['run']);
    expect(breakingChanges(old, api({ output: more }))).toEqual(['POST /stream/xadd: 200/run may be "c" now']);
  });

  it('moving a status to a reference breaks only if the reference lacks it', () => {
    const referring: Api = {
      ...api({ input, responses: { 404: responses[404], 409: { $ref: '#/components/responses/Stream409' } } }),
      components: { responses: { Stream409: responses[409] } },
    };

    expect(breakingChanges(before, referring)).toEqual([]);
    expect(breakingChanges(before, { ...referring, components: {} })).toContain(
      'POST /stream/xadd: 409 is not application/problem+json any more',
    );
  });

  it('a new route, optional parameter, value or wider bound is no breaking change', () => {
    const wider = object({
      name: { type: 'string', maxLength: 20 },
      count: { type: 'number', minimum: 0 },
      ids: { type: 'array', items: text },
      fields: { type: 'object' },
      free: {},
    });
    const more = object({ key: text, mode: { type: 'string', enum: ['a', 'b', 'c'] }, id: text, inner: wider }, [
      'key',
    ]);
    const after = api({ input: more, responses });

    expect(breakingChanges(before, before)).toEqual([]);
    expect(breakingChanges(before, { paths: { ...after.paths, '/stream/xlen': {} } })).toEqual([]);
  });

  it('alternatives that express former rules are no breaking change', () => {
    const rules = api({ input: object({ id: text, key: text }) });
    const NotGiven = { $ref: '#/components/schemas/NotGiven' };
    const alternatives = (id: Schema) =>
      api({ input: { oneOf: [object({ id, key: NotGiven }, ['id']), object({ key: text, id: NotGiven }, ['key'])] } });

    expect(breakingChanges(rules, alternatives(text))).toEqual([]);
    expect(breakingChanges(rules, alternatives({ type: 'string', maxLength: 5 }))).toEqual([
      'POST /stream/xadd/id has maxLength 5 now',
    ]);
  });
});
