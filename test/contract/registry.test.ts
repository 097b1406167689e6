import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { registry } from '../../functions/registry.ts';
import { orderedObject } from '../../lib/core/json.ts';
import { validate } from '../../lib/contract/validation.ts';
import { functions } from '../../scripts/functions.ts';

const FUNCTIONS = new URL('../../functions/', import.meta.url);
const files = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' });
/** Folders with such a file, as `stream/xadd`. */
const foldersWith = (name: string) =>
  files
    .filter((path) => basename(path) === name)
    .map(dirname)
    .sort();

describe('the registry', () => {
  it('lists every folder that has a contract, once, by connector and name', () => {
    const folders = registry.map(({ name }) => name.replace('-', '/')).sort();

    expect(folders).toEqual(foldersWith('contract.ts'));
    expect(registry.map(({ route }) => route.slice(1)).sort()).toEqual(folders);
  });

  it('has a deployed function for every handler, and a handler for every function', () => {
    const handlers = functions.map(({ handler }) => handler).sort();

    expect(handlers).toEqual(
      foldersWith('handler.ts')
        .map((folder) => `functions/${folder}/handler.ts`)
        .sort(),
    );
    expect(functions.map(({ name }) => `functions/${name.replace('-', '/')}/handler.ts`).sort()).toEqual(handlers);
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
