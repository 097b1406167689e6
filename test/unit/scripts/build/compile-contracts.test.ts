import { createRequire } from 'node:module';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { registry } from '#functions/registry.ts';
import { validate } from '#lib/contract/validation.ts';
import { ConnectorSecret } from '#lib/config/config.schema.ts';
import { bundleFunction } from '#scripts/build/bundle.ts';

/*
 * A schema in a folder inside a folder of lib, and one in a file that is no schema module: both validate from source,
 * so only a bundle shows whether the build found them.
 */

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TYPEBOX = join(ROOT, 'node_modules/typebox/build/index.mjs');
const VALIDATION = join(ROOT, 'lib/contract/validation.ts');
const schema = `import Type from ${JSON.stringify(TYPEBOX)};
export const Size = Type.Object({ size: Type.Integer({ minimum: 1 }) });`;
const handlerText = (path: string) => `import { Size } from ${JSON.stringify(path)};
import { validate } from ${JSON.stringify(VALIDATION)};
export const handler = (value) => validate(Size, value);`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compile-contracts-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function handlerWith(schemaFile: string) {
  const source = join(folder, 'functions/mdm/sizes/handler.ts');
  for (const [path, text] of [
    [join(folder, schemaFile), schema],
    [source, handlerText(join(folder, schemaFile))],
  ] as const) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const dist = join(folder, `dist-${schemaFile.replaceAll('/', '-')}`);
  await bundleFunction(source, dist);
  const code = await readFile(join(dist, 'index.cjs'), 'utf8');
  const { handler } = require(join(dist, 'index.cjs')) as { handler: (value: unknown) => unknown };
  return { code, handler };
}

it('the build finds a schema at any depth of lib, and leaves ajv out of the bundle', async () => {
  const { code, handler } = await handlerWith('lib/consumer/targets/deep/size.schema.ts');

  expect(handler({ size: 0 })).toEqual([{ pointer: '/size', message: 'must be at least 1' }]);
  expect(handler({ size: 1 })).toEqual([]);
  expect(code).not.toContain('Ajv2020');
});

it('the build refuses to compile a schema outside of the schema modules', async () => {
  const { handler } = await handlerWith('lib/consumer/size.ts');

  expect(() => handler({ size: 1 })).toThrow('schemas live in contract.ts or *.schema.ts');
});

/** What replaces each value of a valid input, in turn. */
const WRONG = [null, true, -1, 1.5, 1e9, '', 'x y', 'x'.repeat(300), [], [1, 1], {}, { noSuchThing: 1 }];
const PEM = '-----BEGIN CERTIFICATE-----';
const SECRET = {
  mdm: {
    auth: { type: 'login-v3', loginUrl: 'https://mdm.example/ma', username: 'u', password: 'p' },
    baseUrl: 'https://mdm.example',
    timeoutMs: 1000,
    headers: { 'x-a': 'b' },
    sessionStore: 'redis',
    sessionHeader: 'X-Session',
    paths: { entity: '/e' },
    ca: PEM,
    proxy: 'http://proxy.example:8080',
  },
  redis: {
    mode: 'cluster',
    nodes: ['rediss://r.example'],
    url: 'rediss://r.example',
    auth: 'iam',
    userId: 'u',
    cacheName: 'c',
    nodeAddressMap: { 'a:1': 'b:2' },
    cert: PEM,
    key: PEM,
    servername: 's',
  },
  ingest: { stream: 's', shards: 2, group: 'g', wake: true, consumer: { target: 'mdm', concurrency: 2, trim: true } },
};

/** A valid value, and every value that differs from it in one place, at any depth: wrong, missing or not known. */
function* variantsOf(value: unknown): Generator<unknown> {
  yield value;
  yield* WRONG;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const variant of variantsOf(inner)) yield { ...value, [name]: variant };
    const { [name]: _missing, ...rest } = value as Record<string, unknown>;
    yield rest;
  }
  yield { ...value, noSuchThing: 1 };
}

it('compiled contracts report the same faults and defaults as the schemas do from source', async () => {
  const source = join(folder, 'functions/all/handler.ts');
  const from = (path: string) => JSON.stringify(join(ROOT, path));
  await mkdir(dirname(source), { recursive: true });
  await writeFile(
    source,
    `import { registry } from ${from('functions/registry.ts')};
import { ConnectorSecret } from ${from('lib/config/config.schema.ts')};
import { validate } from ${from('lib/contract/validation.ts')};
const schemas = { secret: ConnectorSecret, ...Object.fromEntries(registry.map(({ name, input }) => [name, input])) };
export const handler = (name, value) => validate(schemas[name], value);`,
  );
  await bundleFunction(source, join(folder, 'dist-all'));
  const { handler } = require(join(folder, 'dist-all', 'index.cjs')) as {
    handler: (name: string, value: unknown) => unknown;
  };
  const cases = registry.map(({ name, input, example }) => [name, input, example.input] as const);

  const messages = new Set<string>();
  for (const [name, schema, valid] of [...cases, ['secret', ConnectorSecret, SECRET] as const]) {
    for (const variant of variantsOf(valid)) {
      const [compiled, read] = [structuredClone(variant), structuredClone(variant)];
      const faults = validate(schema, read);
      expect({ name, variant, faults: handler(name, compiled) }).toEqual({ name, variant, faults });
      expect(compiled).toEqual(read);
      for (const { message } of faults) messages.add(message.replace(/\d+|[a-z]+ beside/g, '…'));
    }
  }
  expect(messages.size).toBeGreaterThan(15);
}, 60_000);
