import { describe, expect, it } from '@jest/globals';
import Type from 'typebox';
import { namedValues } from '#lib/contract/named-values.ts';
import { registry } from '#functions/registry.ts';

const Stream = Type.String({ 'x-names': 'stream' });
const schema = Type.Object({
  a: Stream,
  list: Type.Optional(Type.Array(Type.Object({ b: Type.Optional(Stream), c: Type.String() }))),
  key: Type.Optional(Type.String()),
});

describe('namedValues', () => {
  it('namedValues finds marked values, in lists too, and ignores unmarked members with telling names', () => {
    expect(namedValues(schema, { a: 'x', list: [{ b: 'y', c: 'z' }, { c: 'z' }], key: 'k' })).toEqual([
      { names: 'stream', pointer: '/a', value: 'x' },
      { names: 'stream', pointer: '/list/0/b', value: 'y' },
    ]);
    expect(namedValues(schema, { a: 'x' })).toHaveLength(1);
  });
});

/** The marks of an operation's parameters, by their names. */
const marksOf = (name: string): Record<string, unknown> => {
  const { properties } = registry.find((operation) => operation.name === name)!.input as Type.TObject;
  return Object.fromEntries(
    Object.entries(properties).map(([member, node]) => [member, (node as { 'x-names'?: string })['x-names']]),
  );
};

describe('contracts', () => {
  it.each([
    ['stream-xadd', { key: 'stream' }],
    ['stream-redrive', { stream: 'stream', deadLetterStream: 'dead-letters' }],
    ['stream-consumer', { stream: 'shards', deadLetterStream: 'dead-letters' }],
    ['stream-status', { stream: 'shards', deadLetterStream: 'dead-letters' }],
    ['stream-pause', { stream: 'shards' }],
    ['mdm-http-request', { path: 'path', method: 'method' }],
    ['mdm-source-submit', { businessEntity: 'entity' }],
    ['mdm-relationship-create', { relationship: 'entity' }],
  ])('the contract of %s marks the values that it names', (name, marks) => {
    expect(marksOf(name)).toMatchObject(marks);
  });

  it('the contract of every Redis command marks the stream that it works on', () => {
    const unmarked = registry.filter(
      ({ group, input }) => group === 'streams' && !JSON.stringify(input).includes('"x-names":"stream"'),
    );

    expect(unmarked.map(({ name }) => name)).toEqual([]);
  });
});
