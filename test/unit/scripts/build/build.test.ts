import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build, type Plugin } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { directAwsSdk } from '../../../../scripts/build/direct-aws-sdk.ts';
import { onDemand } from '../../../../scripts/build/on-demand.ts';
import { trimRedis } from '../../../../scripts/build/trim-redis.ts';

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

  it('takes copies of settings, an error, and the description of itself out of a call of the AWS SDK', async () => {
    const entry = write('invoke.js', `export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';`);
    const made =
      /\{\s*\.\.\.config\s*\}, context|\.\.\.config,\s*\.\.\.context|lastError = new Error\(|defaultUserAgent\d* = \(await/g;
    const madeWith = async (...plugins: Plugin[]) => {
      const nodePaths = [resolve('node_modules')];
      const { outputFiles } = await build({ ...options, entryPoints: [entry], plugins, nodePaths, mainFields: ['module', 'main'] }); // prettier-ignore
      return outputFiles[0]!.text.match(made)?.length ?? 0;
    };

    expect([await madeWith(), await madeWith(directAwsSdk())]).toEqual([5, 0]);
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
