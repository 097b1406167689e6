import { createRequire } from 'node:module';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bundleFunction } from '../../../scripts/build/bundle.ts';

/*
 * A schema in a folder inside a folder of lib, and one in a file that is no schema module: both validate from source, so
 * only a bundle shows whether the build found them.
 */

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
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

it('finds a schema at any depth of lib, and leaves ajv out of the bundle', async () => {
  const { code, handler } = await handlerWith('lib/consumer/targets/deep/size.schema.ts');

  expect(handler({ size: 0 })).toEqual([{ pointer: '/size', message: 'must be at least 1' }]);
  expect(handler({ size: 1 })).toEqual([]);
  expect(code).not.toContain('Ajv2020');
});

it('throws for a schema outside of the schema modules, which was not compiled', async () => {
  const { handler } = await handlerWith('lib/consumer/size.ts');

  expect(() => handler({ size: 1 })).toThrow('schemas live in contract.ts or *.schema.ts');
});
