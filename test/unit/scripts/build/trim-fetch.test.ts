import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onDemand } from '../../../../scripts/build/on-demand.ts';
import { trimFetch } from '../../../../scripts/build/trim-fetch.ts';

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'trim-'));
});
afterEach(() => rmSync(work, { recursive: true }));

async function bundle(source: string, plugins = [onDemand(), trimFetch()]): Promise<string> {
  const options = { bundle: true, minify: true, platform: 'node', format: 'esm', write: false } as const;
  const stdin = { contents: source, resolveDir: resolve('.') };
  const { outputFiles } = await build({ ...options, stdin, plugins, logLevel: 'silent' });
  return outputFiles[0]!.text;
}

const fetch = `export { default } from 'node-fetch';`;

describe('trimming node-fetch', () => {
  it('leaves out forms, blobs and web streams, two thirds of it', async () => {
    const [whole, trimmed] = await Promise.all([bundle(fetch, [onDemand()]), bundle(fetch)]);

    expect(trimmed.length).toBeLessThan(whole.length / 3);
    expect(trimmed).not.toMatch(/worker_threads|stream\/web/);
  });

  it('fails when a module that it replaces has moved', async () => {
    const file = join(work, 'node_modules/node-fetch/src/index.js');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'export default 1;');

    await expect(bundle(`import '${file}';`)).rejects.toThrow(/there is no fetch-blob\/index\.js any more/);
  });
});
