import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { directBody } from '../../../scripts/build/direct-body.ts';
import { onDemand } from '../../../scripts/build/on-demand.ts';
import { trimRedis } from '../../../scripts/build/trim-redis.ts';

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'build-'));
});
afterEach(() => rmSync(work, { recursive: true }));

function write(path: string, contents: string): string {
  const file = join(work, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
  return file;
}
const options = { bundle: true, platform: 'node', write: false, logLevel: 'silent', metafile: true } as const;

describe('the build', () => {
  it('refuses a client method that the trimmed Redis client lacks', async () => {
    const source = `import { createClient } from 'redis'; const client = createClient({}); client.xAdd('k', '*', {});`;
    const entry = write('lib/redis/commands.ts', source);

    const built = build({ ...options, entryPoints: [entry], plugins: [trimRedis()], external: ['redis'] });

    await expect(built).rejects.toThrow(/xAdd is trimmed away from the Redis client/);
  });

  it('takes the copy of each body out of node-fetch, and says so where there is none', async () => {
    const entry = write('fetch.js', `import fetch from 'node-fetch'; export { fetch };`);
    const bundle = (entryPoint: string, nodePaths?: string[]) =>
      build({ ...options, entryPoints: [entryPoint], plugins: [directBody()], nodePaths });

    const { outputFiles } = await bundle(entry, [resolve('node_modules')]);
    expect(outputFiles[0]!.text).toContain('let body = response_;');
    const other = write('node_modules/node-fetch/src/index.js', `export default new Copy(response_);`);
    await expect(bundle(other)).rejects.toThrow(/does not copy the body as it did in node-fetch 3\.3\.2/);
  });

  it('leaves out what packages import on demand, and says so when that is something it does not know', async () => {
    write('node_modules/node-fetch/body.js', `exports.read = () => import('./utils/multipart-parser.js');`);
    write('node_modules/other/index.js', `exports.read = () => import('./heavy.js');`);
    const known = write('known.js', `require('./node_modules/node-fetch/body.js');`);
    const unknown = write('unknown.js', `require('other');`);
    const bundle = (entry: string) => build({ ...options, entryPoints: [entry], plugins: [onDemand()] });

    expect((await bundle(known)).outputFiles[0]!.text).toContain('import("./utils/multipart-parser.js")');
    await expect(bundle(unknown)).rejects.toThrow(/imports \.\/heavy\.js, and nothing says whether we need it/);
  });
});
