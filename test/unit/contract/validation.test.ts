import { describe, expect, it } from '@jest/globals';
import Type from 'typebox';
import { rule, withDefault } from '#lib/contract/operation.ts';
import { validate } from '#lib/contract/validation.ts';
import { parseExact } from '#lib/core/json.ts';

const schema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z]+$', 'x-message': 'must be lower-case letters' }),
    kind: Type.Optional(Type.Enum(['a', 'b'])),
    size: Type.Optional(
      Type.Union([Type.Integer(), Type.String()], { 'x-message': 'must be an integer or its digits' }),
    ),
    tags: withDefault(Type.Array(Type.String()), []),
  },
  {
    additionalProperties: false,
    allOf: [rule({ not: { required: ['kind', 'size'] } }, 'takes kind or size, not both')],
  },
);

describe('validate', () => {
  it('fills in defaults and finds nothing wrong', () => {
    const value = { name: 'a' };

    expect(validate(schema, value)).toEqual([]);
    expect(value).toEqual({ name: 'a', tags: [] });
  });

  it('names every fault by its pointer, without its value', () => {
    const faults = validate(schema, { name: 'SECRET', kind: 'c', tags: ['x', 7], 'no/such~name': 1 });

    expect(faults).toEqual(
      expect.arrayContaining([
        { pointer: '/name', message: 'must be lower-case letters' },
        { pointer: '/kind', message: 'must be one of a, b' },
        { pointer: '/tags/1', message: 'must be a string' },
        { pointer: '/no~1such~0name', message: 'is not known: allowed are name, kind, size, tags' },
      ]),
    );
    expect(faults).toHaveLength(4);
    expect(JSON.stringify(faults)).not.toContain('SECRET');
  });

  it('reports an integer beyond 2^53 as too large or too small, and a fraction as no integer', () => {
    const page = Type.Object({ size: Type.Integer({ minimum: 1, maximum: 100 }) });
    const messageOf = (json: string) => validate(page, parseExact(`{"size": ${json}}`)).map(({ message }) => message);

    expect(messageOf('9007199254740993')).toEqual(['must be at most 100']);
    expect(messageOf('-9007199254740993')).toEqual(['must be at least 1']);
    expect(messageOf('1.00000000000000001')).toEqual(['must be an integer']);
  });

  it('names a fault below a name with any characters', () => {
    const fields = Type.Object({ fields: Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } }) });
    const faults = validate(fields, { fields: { '100%': 5, 'a%2Fb': 5, 'a/b': 5 } });

    expect(faults).toEqual(
      ['/fields/100%', '/fields/a%2Fb', '/fields/a~1b'].map((pointer) => ({ pointer, message: 'must be a string' })),
    );
  });

  it('names missing members', () => {
    expect(validate(schema, {})).toEqual([{ pointer: '/name', message: 'is required' }]);
  });

  it('reports a union or a rule by its own message, once', () => {
    expect(validate(schema, { name: 'a', size: {} })).toEqual([
      { pointer: '/size', message: 'must be an integer or its digits' },
    ]);
    expect(validate(schema, { name: 'a', size: 1, kind: 'a' })).toEqual([
      { pointer: '', message: 'takes kind or size, not both' },
    ]);
  });

  it('reports a condition by its rule, and an invalid name by the name', () => {
    const conditional = Type.Object(
      { kind: Type.String(), size: Type.Optional(Type.Integer()), headers: Type.Optional(Type.Object({})) },
      {
        allOf: [
          rule({ if: { properties: { kind: { const: 'a' } } }, then: { required: ['size'] } }, 'needs size for kind a'),
          { properties: { headers: { propertyNames: rule({ pattern: '^[a-z]+$' }, 'is no name') } } },
        ],
      },
    );

    expect(validate(conditional, { kind: 'a', headers: { ok: 1, 'not/ok': 2 } })).toEqual([
      { pointer: '', message: 'needs size for kind a' },
      { pointer: '/headers/not~1ok', message: 'is no name' },
    ]);
    expect(validate(conditional, { kind: 'b' })).toEqual([]);
  });

  it('never accepts a value whose errors it cannot explain', () => {
    const odd = Type.Object({}, { if: { required: ['a'] }, then: { propertyNames: { maxLength: 0 } } });

    expect(validate(odd, { a: 1 })).not.toEqual([]);
  });

  it('reports a rule with a condition by its own message, and an unnamed condition by what it requires', () => {
    const condition = { if: { required: ['name'] }, then: { required: ['size'] } };

    expect(validate(Type.Object({}, { allOf: [rule(condition, 'needs size')] }), { name: 1 })).toEqual([
      { pointer: '', message: 'needs size' },
    ]);
    expect(validate(Type.Object({}, condition), { name: 1 })).toEqual([{ pointer: '/size', message: 'is required' }]);
  });

  it.each([
    [Type.String({ minLength: 1 }), '', 'must have at least 1 character'],
    [Type.String({ maxLength: 2 }), 'abc', 'must have at most 2 characters'],
    [Type.Array(Type.Integer(), { minItems: 1 }), [], 'must have at least 1 item'],
    [Type.Array(Type.Integer(), { minItems: 2 }), [1], 'must have at least 2 items'],
    [Type.Object({}, { minProperties: 1 }), {}, 'must have at least 1 field'],
    [Type.Object({}, { minProperties: 2 }), {}, 'must have at least 2 fields'],
  ])('uses singular and plural nouns: %#', (limited, value, message) => {
    expect(validate(limited, value)).toEqual([{ pointer: '', message }]);
  });

  it('counts the faults past the hundredth', () => {
    const faults = validate(schema, { name: 'a', tags: Array.from({ length: 1000 }, () => 1) });

    expect(faults).toHaveLength(101);
    expect(faults.at(-1)).toEqual({ pointer: '', message: 'has 900 more faults' });
  });
});
