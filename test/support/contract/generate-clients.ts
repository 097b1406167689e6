import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** An operation to call: its name, its route, and an input that it takes. */
export interface Callable {
  name: string;
  route: string;
  input: object;
}

const STRICT = {
  ...{ strict: true, exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: true, skipLibCheck: true },
  ...{
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
  },
};
const OPENAPI_FETCH = `
import createClient from 'openapi-fetch';
import type { paths } from './api';
type BodyOf<P extends keyof paths> = NonNullable<paths[P]['post']['requestBody']>['content']['application/json'];
const clientOf = (baseUrl: string) => createClient<paths>({ baseUrl, headers: { accept: 'application/json' } });
`;
const HEY_API = `
import * as sdk from './hey-api/sdk.gen';
import type * as types from './hey-api/types.gen';
const options = (baseUrl: string) => ({ baseUrl, headers: { accept: 'application/json' } });
`;
/** Inputs of two forms at once, or of none: the comment before each fails the compilation where one is accepted. */
const REFUSED: Record<string, string[]> = {
  '/mdm/master-read': [
    `{ businessEntity: 'c360.city' }`,
    `{ businessEntity: 'c360.city', businessId: 'M1', sourceSystem: 's', sourcePKey: '1' }`,
  ],
  '/mdm/search': [
    `{ businessEntity: 'c360.city' }`,
    `{ businessEntity: 'c360.city', search: 'a', fields: { a: 'b' } }`,
    `{ businessEntity: 'c360.city', search: 'a', pageSize: 1, recordOffset: 1 }`,
    `{ businessEntity: 'c360.city', search: 'a', filters: { operator: 'AND', filter: [{ comparator: 'IN', fieldName: 'a' }] } }`,
  ],
  '/mdm/merge': [
    `{ businessEntity: 'c360.city', records: [{}, { businessId: 'M1' }] }`,
    `{ businessEntity: 'c360.city', records: [{ businessId: 'M2', sourceSystem: 's', sourcePKey: '1' }, { businessId: 'M1' }] }`,
  ],
  '/stream/xtrim': [
    `{ key: 'k', evictionOption: {} }`,
    `{ key: 'k', evictionOption: { maxLength: 1, id: '1-0' } }`,
    `{ key: 'k', evictionOption: { maxLength: 1, limit: 1 } }`,
  ],
  '/stream/pause': ['{}', '{ forMs: 1, resume: true }'],
  '/stream/xpending': [`{ key: 'k', group: 'g', start: '-' }`],
};
const refusals = (typeOf: (route: string) => string) =>
  Object.entries(REFUSED)
    .flatMap(([route, inputs]) => inputs.map((input) => [typeOf(route), input]))
    .map(([type, input], at) => `// @ts-expect-error -- fits no form\nexport const refused${at}: ${type} = ${input};`)
    .join('\n');

const MAIN = `
export async function call(url: string, operation: keyof typeof calls, input?: never) {
  const { data, error, response } = await calls[operation](url, input);
  return { status: response?.status, data, error };
}
`;

/**
 * Generates the types of openapi-typescript and a module that calls each operation with openapi-fetch, and the client
 * of hey-api and a module on it; compiles both strictly.
 *
 * The modules are `out/openapi-fetch.mjs` and `out/hey-api.mjs` in the folder, and export `call(url, operation, input?)`.
 */
export async function generateClients(folder: string, operations: readonly Callable[]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const api = ['docs/openapi.json', '-o', join(folder, 'api.ts')];
  execFileSync('openapi-typescript', [...api, '--default-non-nullable=false'], { stdio: 'pipe' }); // defaults are optional
  execFileSync(
    'openapi-ts',
    ['-i', resolve('docs/openapi.json'), '-o', join(folder, 'hey-api'), '-c', '@hey-api/client-fetch', '-s'],
    { stdio: 'pipe', env: { ...process.env, CI: '1' } },
  );

  const openapiFetch = operations.map(
    ({ name, route, input }) =>
      `'${name}': (baseUrl: string, body: BodyOf<'${route}'> = ${JSON.stringify(input)}) => clientOf(baseUrl).POST('${route}', { body }),`,
  );
  writeFileSync(
    join(folder, 'openapi-fetch.ts'),
    `${OPENAPI_FETCH}const calls = {\n${openapiFetch.join('\n')}\n};\n${MAIN}`,
  );
  const heyApi = operations.map(({ name, input }) => {
    const [type, method] = [`${typeName(name)}Data`, camelCase(name)];
    return `'${name}': (baseUrl: string, body: types.${type}['body'] = ${JSON.stringify(input)}) => sdk.${method}({ ...options(baseUrl), body }),`;
  });
  writeFileSync(join(folder, 'refused-openapi-fetch.ts'), OPENAPI_FETCH + refusals((route) => `BodyOf<'${route}'>`));
  writeFileSync(
    join(folder, 'refused-hey-api.ts'),
    HEY_API + refusals((route) => `types.${typeName(route.slice(1).replace('/', '-'))}Data['body']`),
  );
  writeFileSync(join(folder, 'hey-api.ts'), `${HEY_API}const calls = {\n${heyApi.join('\n')}\n};\n${MAIN}`);
  const programs = ['openapi-fetch', 'hey-api'];
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...STRICT, noEmit: true }, include: ['*.ts', 'hey-api/**/*.ts'] }),
  );
  const faults = compile(folder);
  if (faults !== '') throw new Error(faults);
  const { build } = await import('esbuild');
  await build({
    entryPoints: programs.map((name) => join(folder, `${name}.ts`)),
    outdir: join(folder, 'out'),
    outExtension: { '.js': '.mjs' },
    ...{ bundle: true, format: 'esm', platform: 'node', logLevel: 'error' },
  });
}

const camelCase = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const typeName = (name: string) => camelCase(`-${name}`);

function compile(folder: string): string {
  try {
    return execFileSync(resolve('node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
