import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { leanSdk } from '../../../scripts/build/lean-sdk.ts';
import { Sidecars } from '../../../scripts/build/sidecars.ts';
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
  it('refuses two sidecar files of one name', () => {
    const names = new Sidecars();
    names.add('/lib/mdm/sdk.ts');

    expect(names.add('/lib/mdm/sdk.ts')).toBe('sdk.cjs');
    expect(() => names.add('/lib/redis/sdk.ts')).toThrow(
      '/lib/redis/sdk.ts and /lib/mdm/sdk.ts would both be sdk.cjs: rename one of them',
    );
    expect(() => names.add('/lib/mdm/index.ts')).toThrow(/the bundle itself/);
  });

  it('refuses a client method that the trimmed Redis client lacks', async () => {
    const source = `import { createClient } from 'redis'; const client = createClient({}); client.xAdd('k', '*', {});`;
    const entry = write('lib/redis/commands.ts', source);

    const built = build({ ...options, entryPoints: [entry], plugins: [trimRedis()], external: ['redis'] });

    await expect(built).rejects.toThrow(/xAdd is trimmed away from the Redis client/);
  });

  it('says so when the SDK no longer imports its event streams on demand', async () => {
    write(
      'node_modules/@aws-sdk/client-x/package.json',
      '{"name":"@aws-sdk/client-x","version":"1.0.0","main":"i.js"}',
    );
    write('node_modules/@aws-sdk/client-x/i.js', 'module.exports = 1;');
    const entry = write('entry.js', `require('@aws-sdk/client-x');`);

    const built = build({ ...options, entryPoints: [entry], plugins: [leanSdk()] });

    await expect(built).rejects.toThrow(/no longer imports @smithy\/core\/event-streams/);
  });
});
