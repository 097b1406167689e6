import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { registry } from '../../functions/registry.ts';
import { orderedObject } from '../../lib/core/json.ts';
import { validate } from '../../lib/contract/validation.ts';
import { functions } from '../../scripts/functions.ts';

const ROOMS = new URL('../../functions/', import.meta.url);
const contractFiles = readdirSync(ROOMS, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('contract.ts'),
);

describe('the registry', () => {
  it('lists every room that has a contract, by the name of its folder', () => {
    const rooms = contractFiles.map((path) => basename(dirname(path))).sort();

    expect(registry.map(({ name, connector }) => name.slice(connector.length + 1)).sort()).toEqual(rooms);
  });

  it('names no operation twice', () => {
    const names = registry.map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
  });

  it('finds a handler for each function', () => {
    expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(registry.map(({ name }) => name)));
  });
});

describe.each(registry.map((operation) => [operation.name, operation] as const))(
  'the contract of %s',
  (_, operation) => {
    it('has an example that it accepts', () => {
      expect(validate(operation.input, structuredClone(operation.example.input))).toEqual([]);
      expect(validate(operation.output, structuredClone(operation.example.output ?? null))).toEqual([]);
    });

    it('refuses an unknown parameter by its name', () => {
      const input = orderedObject([...Object.entries(structuredClone(operation.example.input)), ['noSuchThing', 1]]);

      expect(validate(operation.input, input)).toEqual([{ pointer: '/noSuchThing', message: 'is not known' }]);
    });

    it('describes every parameter', () => {
      for (const [name, schema] of Object.entries(operation.input.properties)) {
        expect([name, schema]).toEqual([name, expect.objectContaining({ description: expect.stringMatching(/\w/) })]);
      }
    });
  },
);
