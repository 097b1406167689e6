import { describe, expect, it } from '@jest/globals';
import Type from 'typebox';
import { rule, withDefault } from '../../../lib/contract/operation.ts';
import { validate } from '../../../lib/contract/validation.ts';

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

  it('names every fault by its pointer, and no value', () => {
    const faults = validate(schema, { name: 'SECRET', kind: 'c', tags: ['x', 7], 'no/such~name': 1 });

    expect(faults).toEqual(
      expect.arrayContaining([
        { pointer: '/name', message: 'must be lower-case letters' },
        { pointer: '/kind', message: 'must be one of a, b' },
        { pointer: '/tags/1', message: 'must be string' },
        { pointer: '/no~1such~0name', message: 'is not known' },
      ]),
    );
    expect(faults).toHaveLength(4);
    expect(JSON.stringify(faults)).not.toContain('SECRET');
  });

  it('names what is missing', () => {
    expect(validate(schema, {})).toEqual([{ pointer: '/name', message: 'is required' }]);
  });

  it('tells a union or a rule by its own message, once', () => {
    expect(validate(schema, { name: 'a', size: {} })).toEqual([
      { pointer: '/size', message: 'must be an integer or its digits' },
    ]);
    expect(validate(schema, { name: 'a', size: 1, kind: 'a' })).toEqual([
      { pointer: '', message: 'takes kind or size, not both' },
    ]);
  });

  it('tells a condition by its rule, and a name by itself', () => {
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

  it('never takes for valid what it cannot explain', () => {
    const odd = Type.Object({}, { if: { required: ['a'] }, then: { propertyNames: { maxLength: 0 } } });

    expect(validate(odd, { a: 1 })).not.toEqual([]);
  });

  it('tells a rule with a condition by its own message, and a condition without one by what it asks for', () => {
    const condition = { if: { required: ['name'] }, then: { required: ['size'] } };

    expect(validate(Type.Object({}, { allOf: [rule(condition, 'needs size')] }), { name: 1 })).toEqual([
      { pointer: '', message: 'needs size' },
    ]);
    expect(validate(Type.Object({}, condition), { name: 1 })).toEqual([{ pointer: '/size', message: 'is required' }]);
  });

  it('counts the faults past the hundredth', () => {
    const faults = validate(schema, { name: 'a', tags: Array.from({ length: 1000 }, () => 1) });

    expect(faults).toHaveLength(101);
    expect(faults.at(-1)).toEqual({ pointer: '', message: 'has 900 more faults' });
  });
});
