import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { trimAwsSdk } from '../../../../scripts/build/trim-aws-sdk.ts';

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'trim-'));
});
afterEach(() => rmSync(work, { recursive: true }));

/** Writes a module of a client of the AWS SDK, whose package lies in a folder of its own. */
function write(path: string, contents: string): string {
  const file = join(work, 'node_modules/@aws-sdk/client-secrets-manager', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
  return file;
}

async function bundle(source: string, plugins = [trimAwsSdk()]): Promise<string> {
  const options = { bundle: true, minify: true, platform: 'node', format: 'esm', write: false } as const;
  const stdin = { contents: source, resolveDir: resolve('.') };
  const mainFields = ['module', 'main'];
  const { outputFiles } = await build({ ...options, stdin, mainFields, plugins, logLevel: 'silent' });
  return outputFiles[0]!.text;
}

const secrets = `export { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';`;
const lambda = `export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';`;

describe('trimming the AWS SDK', () => {
  it.each([
    ['Secrets Manager', secrets, 18],
    ['Lambda', lambda, 90],
  ])('takes kilobytes off the client of %s', async (_name, source, kilobytes) => {
    const [whole, trimmed] = await Promise.all([bundle(source, []), bundle(source)]);

    expect(trimmed.length).toBeLessThan(whole.length - 1000 * kilobytes);
  });

  it('keeps the shapes of the calls that are made, and no others', async () => {
    const trimmed = await bundle(lambda);

    expect(trimmed).toContain('InvocationRequest');
    expect(trimmed).toContain('X-Amz-Client-Context');
    expect(trimmed).not.toMatch(/CreateFunctionRequest|ENILimitReachedException/);
  });

  it('fails when a module that it replaces has moved', async () => {
    const index = write('dist-es/index.js', 'export const SecretsManagerClient = 1;');

    await expect(bundle(`import '${index}';`)).rejects.toThrow(
      /there is no @smithy\/core\/.*configLoader\.js any more/,
    );
  });

  it('fails when shapes and errors are written in another way', async () => {
    const schemas = write('dist-es/schemas/schemas_0.js', 'registry.register(NotFound$); export var GetSecret$ = {};');

    await expect(bundle(`import '${schemas}';`)).rejects.toThrow(/schemas are no longer written as they were/);
  });

  it('leaves of the manifest of a package what a client says of itself', async () => {
    const manifest = write('package.json', '{"name":"client","version":"1.2.3","scripts":{"build":"tsc"}}');

    const text = await bundle(`import manifest from '${manifest}'; console.log(manifest);`);

    expect(text).toContain('1.2.3');
    expect(text).not.toContain('tsc');
  });
});
