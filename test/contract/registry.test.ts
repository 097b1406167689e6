import { describe, expect, it } from '@jest/globals';
import { registry } from '#functions/registry.ts';
import { validate } from '#lib/contract/validation.ts';

describe.each(registry.map((operation) => [operation.name, operation] as const))(
  'the contract of %s',
  (_, operation) => {
    it('every contract accepts its example', () => {
      expect(validate(operation.input, structuredClone(operation.example.input))).toEqual([]);
      expect(validate(operation.output, structuredClone(operation.example.output ?? null))).toEqual([]);
    });

    it('every contract describes every parameter', () => {
      for (const [name, schema] of Object.entries(operation.input.properties)) {
        expect([name, schema]).toEqual([name, expect.objectContaining({ description: expect.stringMatching(/\w/) })]);
      }
    });
  },
);
