import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TSC } from '#scripts/build/tsc.ts';

/** An operation to call: its name, its route, and an input that it takes. */
export interface Callable {
  name: string;
  route: string;
  input: object;
}

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: false,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
};
const CLIENT = `
import createClient from 'openapi-fetch';
import type { paths } from './api';
type BodyOf<P extends keyof paths> = NonNullable<paths[P]['post']['requestBody']>['content']['application/json'];
const clientOf = (baseUrl: string) => createClient<paths>({ baseUrl, headers: { accept: 'application/json' } });
`;
/** Inputs of two forms at once, or of none: the comment before each fails the compilation where one is accepted. */
const FILTER_WITHOUT_VALUE = `{ comparator: 'IN', fieldName: 'a' }`;
const SOURCE_KEY = `sourceSystem: 's', sourcePKey: '1'`;
const REFUSED: Record<string, string[]> = {
  '/mdm/master-read': [
    `{ businessEntity: 'c360.city' }`,
    `{ businessEntity: 'c360.city', businessId: 'M1', sourceSystem: 's', sourcePKey: '1' }`,
  ],
  '/mdm/search': [
    `{ businessEntity: 'c360.city' }`,
    `{ businessEntity: 'c360.city', search: 'a', fields: { a: 'b' } }`,
    `{ businessEntity: 'c360.city', search: 'a', pageSize: 1, recordOffset: 1 }`,
    `{ businessEntity: 'c360.city', search: 'a', filters: { operator: 'AND', filter: [${FILTER_WITHOUT_VALUE}] } }`,
  ],
  '/mdm/merge': [
    `{ businessEntity: 'c360.city', records: [{}, { businessId: 'M1' }] }`,
    `{ businessEntity: 'c360.city', records: [{ businessId: 'M2', ${SOURCE_KEY} }, { businessId: 'M1' }] }`,
  ],
  '/stream/xtrim': [
    `{ key: 'k', evictionOption: {} }`,
    `{ key: 'k', evictionOption: { maxLength: 1, id: '1-0' } }`,
    `{ key: 'k', evictionOption: { maxLength: 1, limit: 1 } }`,
  ],
  '/stream/pause': ['{}', '{ forMs: 1, resume: true }'],
  '/stream/xpending': [`{ key: 'k', group: 'g', start: '-' }`],
};
const refusals = Object.entries(REFUSED)
  .flatMap(([route, inputs]) => inputs.map((input) => [`BodyOf<'${route}'>`, input]))
  .map(([type, input], at) => `// @ts-expect-error -- fits no form\nexport const refused${at}: ${type} = ${input};`)
  .join('\n');

const MAIN = `
export async function call(url: string, operation: keyof typeof calls, input?: never) {
  const { data, error, response } = await calls[operation](url, input);
  return { status: response?.status, data, error };
}
`;

/**
 * Generates the types of openapi-typescript and a module that calls each operation with openapi-fetch, and compiles
 * both strictly. The module is `client.mjs` in the folder, and exports `call(url, operation, input?)`.
 */
export async function generateClient(folder: string, operations: readonly Callable[]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const api = ['docs/openapi.json', '-o', join(folder, 'api.ts')];
  // defaults are optional
  execFileSync('openapi-typescript', [...api, '--default-non-nullable=false'], { stdio: 'pipe' });

  const calls = operations.map(
    ({ name, route, input }) =>
      `'${name}': (baseUrl: string, body: BodyOf<'${route}'> = ${JSON.stringify(input)}) => ` +
      `clientOf(baseUrl).POST('${route}', { body }),`,
  );
  const client = join(folder, 'client.ts');
  writeFileSync(client, `${CLIENT}const calls = {\n${calls.join('\n')}\n};\n${MAIN}`);
  writeFileSync(join(folder, 'refused.ts'), CLIENT + refusals);
  const compilerOptions = { ...STRICT, noEmit: true };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const faults = compile(folder);
  if (faults !== '') throw new Error(faults);
  const { build } = await import('esbuild');
  const outfile = join(folder, 'client.mjs');
  await build({ entryPoints: [client], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
}

function compile(folder: string): string {
  try {
    return execFileSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
