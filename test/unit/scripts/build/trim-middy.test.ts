import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { trimMiddy } from '../../../../scripts/build/trim-middy.ts';

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'trim-'));
});
afterEach(() => rmSync(work, { recursive: true }));

async function bundle(source: string): Promise<string> {
  const options = { bundle: true, platform: 'node', format: 'esm', write: false } as const;
  const stdin = { contents: source, resolveDir: resolve('.') };
  const { outputFiles } = await build({ ...options, stdin, plugins: [trimMiddy()], logLevel: 'silent' });
  return outputFiles[0]!.text;
}

describe('trimming middy', () => {
  it('makes no controller for a call', async () => {
    const trimmed = await bundle(`export { default } from '@middy/core';`);

    expect(trimmed).toContain('lambdaHandler(');
    expect(trimmed).not.toContain('AbortController()');
  });

  it('fails when middy uses the controller in another way', async () => {
    const file = join(work, 'node_modules/@middy/core/index.js');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'const handlerAbort = new AbortController(); handlerAbort.signal.throwIfAborted();');

    await expect(bundle(`import '${file}';`)).rejects.toThrow(
      /does not make a controller that aborts handlers as it did in middy/,
    );
  });
});
