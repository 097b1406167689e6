/*
 * Ajv writes out what each of several hundred errors consists of, and each test of a type: two thirds of a validator.
 * Here an error is a call with its place in the schema, as the number of that place, and a type is a call with the value.
 * Whether text is well-formed Unicode is asked of V8, which knows it sooner than a regular expression finds it.
 */

type Json = Record<string, unknown>;

/** All places of a schema, in the words of ajv; the n-th is place n. */
function placesOf(node: unknown, at = '#'): string[] {
  if (node === null || typeof node !== 'object') return [at];
  return [at, ...Object.keys(node).flatMap((key) => placesOf((node as Json)[key], `${at}/${key}`))];
}

/** The module that compiled validators share; each has a `fail` for its own schema. */
export const SHARED_CODE = `
${placesOf.toString()}
exports.failures = (schema) => {
  let places;
  return (errors, instancePath, place, name, rest) => {
    const schemaPath = typeof place === 'string' ? place : (places ??= placesOf(schema))[place];
    const keyword = schemaPath.slice(schemaPath.lastIndexOf('/') + 1);
    const params = { missingProperty: name, additionalProperty: name };
    (errors ??= []).push({ instancePath, schemaPath, keyword, params, ...rest });
    return errors;
  };
};
exports.isObject = (value) => value && typeof value === 'object' && !Array.isArray(value);
exports.isNumber = (value) => typeof value === 'number' && isFinite(value);
exports.isInteger = (value) => Number.isInteger(value);
exports.wellFormed = { test: (text) => text.isWellFormed() };`;

/** An error as ajv writes it, and how it is added to the others. */
const ERROR =
  /const (err\d+) = \{instancePath(?::(.*?))?,schemaPath:("(?:[^"\\]|\\.)*"),keyword:"(\w+)",(params:[^]*?)\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}/g;
/** What an error says of its own: one name, or more (lib/contract/validation.ts). */
const NAMES = /^params:\{(?:missingProperty|additionalProperty): ([^,{}]+)\}$/;
const NEEDS_REST = /missingProperty|additionalProperty|propertyName/;

/** How a validator is exported, and what it takes from ajv. */
const EXPORT = /module\.exports = (\w+);module\.exports\.default = \1;/g;
const RUNTIME = /const (\w+) = require\("(ajv\/[^"]+)"\)\.default;/g;

/** An error inside `if` and `not`, which nobody reads. */
const UNREAD = /const (err\d+) = \{\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}/g;

const CHECKS: readonly [RegExp, string][] = [
  [/(\w+) && typeof \1 == "object" && !Array\.isArray\(\1\)/g, 'shared_1.isObject($1)'],
  [/\(typeof (\w+) == "number"\) && \(isFinite\(\1\)\)/g, 'shared_1.isNumber($1)'],
  [
    /\(\(typeof (\w+) == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)/g,
    'shared_1.isInteger($1)',
  ],
  [/new RegExp\("\^\\\\P\{Cs\}\*\$", "u"\)/g, 'shared_1.wellFormed'],
];

/**
 * The code of a validator, made smaller; it does the same. Written as TypeScript writes a CommonJS module.
 *
 * @param code as ajv's standalone mode writes it
 * @param modules what to require for the schema and for what validators share
 * @throws {Error} where ajv writes errors in another way than it did
 */
export function shortenValidator(code: string, schema: Json, modules: { schema: string; shared: string }): string {
  const numbers = new Map(placesOf(schema).map((place, number) => [JSON.stringify(place), number]));
  const shortened = code
    .replace(`= ${JSON.stringify(schema)};`, () => '= schema_1.default;')
    .replaceAll(
      ERROR,
      (whole, _error: string, at: string | undefined, place: string, keyword: string, rest: string) => {
        if (!place.endsWith(`/${keyword}"`)) return whole;
        const name = NAMES.exec(rest)?.[1];
        const more = name ? `, ${name}` : NEEDS_REST.test(rest) ? `, undefined, {${rest}}` : '';
        return `vErrors = fail(vErrors, ${at ?? 'instancePath'}, ${numbers.get(place) ?? place}${more});`;
      },
    );
  if (/= \{instancePath\b(?!.*keyword:"discriminator")/.test(shortened)) {
    throw new Error('shorten-validator: ajv no longer writes its errors as it did');
  }
  const read = shortened.replaceAll(UNREAD, '(vErrors ??= []).push({});');
  const typed = CHECKS.reduce((text, [test, call]) => text.replaceAll(test, call), read);
  return [
    `const schema_1 = require(${JSON.stringify(modules.schema)});`,
    `const shared_1 = require(${JSON.stringify(modules.shared)});`,
    'const fail = shared_1.failures(schema_1.default);',
    typed
      .replaceAll(EXPORT, 'exports.default = $1;')
      .replaceAll(RUNTIME, '\nconst $1_1 = require("$2");\nconst $1 = $1_1.default;\n'),
  ].join('\n');
}
