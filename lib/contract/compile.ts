import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { ENTRY_ID_FORMAT, HALVES_FIT } from './entry-id-format.ts';

/*
 * When run from source, schemas are compiled here at first use. The build compiles them ahead of time with the same
 * options, and leaves Ajv out of the bundles (scripts/build/compile-contracts.ts).
 */

const AJV_OPTIONS = {
  allErrors: true,
  messages: false,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  discriminator: true,
  keywords: ['x-message', 'x-alternatives', 'x-names'],
  formats: { [ENTRY_ID_FORMAT]: HALVES_FIT },
} as const;

const ajv = createAjv();

/** Compiles schemas of draft 2020-12. None of them has `unevaluatedProperties`, so Ajv need not track these. */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ ...AJV_OPTIONS, keywords: [...AJV_OPTIONS.keywords], ...options });
  ajv.opts.unevaluated = false; // the class overrides the option
  return ajv;
}

/** The validator of a schema. Ajv caches it. */
export function compile(schema: TSchema): ValidateFunction {
  return ajv.compile(schema);
}
