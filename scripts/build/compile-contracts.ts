import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import standalone from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import type { Operation } from '#lib/contract/operation.ts';
import { createAjv } from '#lib/contract/compile.ts';

/*
 * Contracts and schemas are values, so the build reads them and bundles their compiled form: the parts that the wrapper
 * needs as JSON, and a validator as code. Ajv and TypeBox stay out of the bundles, which halves the cold start.
 */

type Json = Record<string, unknown>;

/** Modules that the build runs, and bundles what they export. */
export const DECLARATIONS = /([\\/]functions[\\/].*[\\/]contract|[\\/]lib[\\/].*\.schema)\.ts$/;
const COMPILER = /[\\/]lib[\\/]contract[\\/]compile\.ts$/;
const VALIDATOR = 'compiled-validator';
const SCHEMA = 'compiled-schema';
const ajvDirectory = dirname(createRequire(import.meta.url).resolve('ajv/package.json'));

/** An export of such a module, compiled. */
interface Compiled {
  readonly name: string;
  readonly value: unknown;
  readonly schema: Json;
  /** Code of its validator. */
  readonly validator: string;
}

/** Each module is compiled once a process, whatever the number of bundles that hold it. */
const compiled = new Map<string, Promise<Compiled[]>>();

export function compileContracts(): Plugin {
  const validators = new Map<string, string>();
  const schemas = new Map<string, Json>();
  return {
    name: 'compile-contracts',
    setup(build) {
      build.onLoad({ filter: DECLARATIONS }, async ({ path }) => {
        if (!compiled.has(path)) compiled.set(path, compileModule(path));
        const lines = (await compiled.get(path)!).flatMap(({ name, value, schema, validator }) => {
          const id = `${path}#${name}`;
          schemas.set(id, schema);
          validators.set(id, validator);
          const schemaCode = `{...schema_${name}, '~validate': validate_${name}}`;
          return [
            `import schema_${name} from ${JSON.stringify(`${SCHEMA}:${id}`)};`,
            `import validate_${name} from ${JSON.stringify(`${VALIDATOR}:${id}`)};`,
            `export const ${name} = ${isOperation(value) ? operationCode(value, schemaCode) : schemaCode};`,
          ];
        });
        return { contents: lines.join('\n'), loader: 'js', watchFiles: [path] };
      });
      build.onLoad({ filter: COMPILER }, () => ({
        contents: `export function compile(schema) {
          if (schema['~validate']) return schema['~validate'];
          throw new Error('This schema was not compiled at build time: schemas live in contract.ts or *.schema.ts');
        }`,
      }));
      for (const namespace of [VALIDATOR, SCHEMA]) {
        build.onResolve({ filter: new RegExp(`^${namespace}:`) }, ({ path }) => ({
          path: path.slice(namespace.length + 1),
          namespace,
        }));
      }
      build.onLoad({ filter: /.*/, namespace: SCHEMA }, ({ path }) => ({
        contents: JSON.stringify(withoutUnreported(schemas.get(path))),
        loader: 'json',
      }));
      build.onLoad({ filter: /.*/, namespace: VALIDATOR }, ({ path }) => ({
        contents: validators.get(path),
        loader: 'js',
        resolveDir: ajvDirectory,
      }));
    },
  };
}

async function compileModule(path: string): Promise<Compiled[]> {
  const exported = Object.entries((await import(pathToFileURL(path).href)) as Record<string, unknown>);
  return exported.map(([name, value]) => {
    const schema = without(isProse, (isOperation(value) ? value.input : value) as Json);
    return { name, value, schema, validator: compileValidator(schema) };
  });
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'connector' in value && 'input' in value;

/** The parts of a contract that a call needs; the others are for documents. */
function operationCode(operation: Operation, schemaCode: string): string {
  const { name, connector, readOnly, idempotent, textOutput, narrowWith } = operation;
  const parts = { name, connector, readOnly, idempotent, textOutput, narrowWith };
  return `{...${JSON.stringify(parts)}, input: ${schemaCode}}`;
}

/** Ajv's code of a validator, optimised for size: a loop checks required properties. */
function compileValidator(schema: Json): string {
  const ajv = createAjv({ code: { source: true, esm: true }, loopRequired: 1 });
  return standalone.default(ajv, ajv.compile(without(isMessage, schema)));
}

/** Keywords that only people read. */
const isProse = (name: string, value: unknown) =>
  name === 'x-alternatives' || (name === 'description' && typeof value === 'string');
/** Keywords that the wrapper reads for errors. */
const isMessage = (name: string) => name === 'x-message';

function without<T>(isLeftOut: (name: string, value: unknown) => boolean, node: T): T {
  if (Array.isArray(node)) return (node as unknown[]).map((item) => without(isLeftOut, item)) as T;
  if (node === null || typeof node !== 'object') return node;
  const kept = Object.entries(node).filter(([name, value]) => !isLeftOut(name, value));
  return Object.fromEntries(kept.map(([name, value]) => [name, without(isLeftOut, value)])) as T;
}

/** Keywords whose values no message needs, because the validator has them as code. */
const UNREPORTED = new Set(['default', 'pattern', 'required']);

/** A schema with all its places, which errors name, but without unneeded texts. */
function withoutUnreported(node: unknown, keyword = ''): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutUnreported(item, keyword));
  if (node === null || typeof node !== 'object') return UNREPORTED.has(keyword) ? 0 : node;
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withoutUnreported(value, name)]));
}
