import { describe, expect, it } from '@jest/globals';
import { breakingChanges, type Api } from '../../../scripts/check/breaking-changes.ts';

const api = (input: object, output: object = { type: 'integer' }, type = 'application/json'): Api => ({
  paths: {
    '/stream/xadd': {
      post: {
        requestBody: { content: { 'application/json': { schema: input } } },
        responses: { 200: { content: { [type]: { schema: output } } } },
      },
    },
  },
});
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
const text = { type: 'string' };
const before = api(object({ key: text, mode: { type: 'string', enum: ['a', 'b'] } }, ['key']));

describe('a breaking change', () => {
  it.each<[string, Api, string]>([
    ['a route that is gone', { paths: {} }, 'POST /stream/xadd is gone'],
    ['a parameter that is gone', api(object({ key: text }, ['key'])), 'POST /stream/xadd/mode is gone'],
    ['a new parameter that is required', api(object({ key: text, mode: text, id: text }, ['key', 'id'])), 'POST /stream/xadd/id is required now'], // prettier-ignore
    ['another type', api(object({ key: { type: 'integer' }, mode: text }, ['key'])), 'POST /stream/xadd/key is no string any more'], // prettier-ignore
    ['a value less', api(object({ key: text, mode: { type: 'string', enum: ['a'] } }, ['key'])), 'POST /stream/xadd/mode does not take "b" any more'], // prettier-ignore
    ['an output of another type', api(object({ key: text, mode: text }, ['key']), text), 'POST /stream/xadd: 200 may be string now'], // prettier-ignore
    ['another media type', api(object({ key: text, mode: text }, ['key']), { type: 'integer' }, 'text/csv'), 'POST /stream/xadd: 200 is not application/json any more'], // prettier-ignore
  ])('%s', (_what, after, message) => {
    expect(breakingChanges(before, after)).toContain(message);
  });

  it('is none of: a new route, a new optional parameter, a value more, alternatives that say what rules said', () => {
    const rules = api(object({ id: text, key: text }, []));
    const alternatives = api({ oneOf: [object({ id: text }, ['id']), object({ key: text }, ['key'])] });
    const more = api(object({ key: text, mode: { type: 'string', enum: ['a', 'b', 'c'] }, id: text }, ['key']));

    expect(breakingChanges(before, { paths: { ...more.paths, '/stream/xlen': {} } })).toEqual([]);
    expect(breakingChanges(rules, alternatives)).toEqual([]);
  });
});
