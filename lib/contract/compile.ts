import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';

/*
 * Runs from source compile their schemas here, at first use. The build compiles them ahead of time and leaves ajv out
 * of the bundles (scripts/build/compile-contracts.ts), with the same options.
 */

export const AJV_OPTIONS = {
  allErrors: true,
  messages: false,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  discriminator: true,
  keywords: ['x-message', 'x-alternatives'],
} as const;

const ajv = new Ajv2020({ ...AJV_OPTIONS, keywords: [...AJV_OPTIONS.keywords] });

/** The validator of a schema. */
export function compile(schema: TSchema): ValidateFunction {
  return ajv.compile(schema);
}
