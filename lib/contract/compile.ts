import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';

/*
 * Runs from source compile their schemas here, at first use. The build compiles them ahead of time and leaves ajv out
 * of the bundles (scripts/build/compile-contracts.ts), with the same options.
 */

const AJV_OPTIONS = {
  allErrors: true,
  messages: false,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  discriminator: true,
  keywords: ['x-message', 'x-alternatives'],
} as const;

const ajv = createAjv();

/** Compiles schemas of draft 2020-12. No schema of ours has `unevaluatedProperties`, so nobody keeps account of them. */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ ...AJV_OPTIONS, keywords: [...AJV_OPTIONS.keywords], ...options });
  ajv.opts.unevaluated = false; // the class sets it whatever its options say
  return ajv;
}

/** The validator of a schema; ajv keeps those it has made. */
export function compile(schema: TSchema): ValidateFunction {
  return ajv.compile(schema);
}
