import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trimRedis } from '../../../../scripts/build/trim-redis.ts';

const CLIENT = new URL('../../../../node_modules/@redis/client/', import.meta.url).pathname;
let work: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'trim-'));
  cpSync(CLIENT, join(work, 'node_modules/@redis/client'), {
    recursive: true,
    filter: (path) => !/\.(d\.ts|map)$/.test(path),
  });
  writeFileSync(join(work, 'entry.js'), `require('@redis/client');`);
});
afterEach(() => rmSync(work, { recursive: true }));

const inClient = (path: string) => join(work, 'node_modules/@redis/client/dist/lib', path);
const edit = (path: string, change: (source: string) => string) =>
  writeFileSync(inClient(path), change(readFileSync(inClient(path), 'utf8')));

async function bundleSize(plugins = [trimRedis()]): Promise<number> {
  const options = { bundle: true, minify: true, platform: 'node', write: false, logLevel: 'silent' } as const;
  const { outputFiles } = await build({ ...options, entryPoints: [join(work, 'entry.js')], plugins });
  return outputFiles[0]!.contents.length;
}

describe('trimming the Redis client', () => {
  it('takes more than 290 kB off', async () => {
    expect(await bundleSize()).toBeLessThan((await bundleSize([])) - 290_000);
  });

  it('leaves no module of it in a function of its own, which V8 would read twice', async () => {
    const options = { bundle: true, platform: 'node', format: 'esm', write: false } as const;
    const stdin = { contents: `export { createClient } from '@redis/client';`, resolveDir: work };
    const { outputFiles } = await build({ ...options, stdin, plugins: [trimRedis()] });

    expect(outputFiles[0]!.text).toContain('RedisClient');
    expect(outputFiles[0]!.text).not.toContain('__commonJS(');
  });

  it('fails when a command that the client needs is no longer registered', async () => {
    edit('commands/index.js', (source) => source.replace('clusterSlots: CLUSTER_SLOTS_1.default', ''));

    await expect(bundleSize()).rejects.toThrow(/no longer registers CLUSTER_SLOTS/);
  });

  it('fails when the client comes to need another command', async () => {
    edit('client/index.js', (source) => `${source}\ncommands_1.default.ECHO;`);

    await expect(bundleSize()).rejects.toThrow(/client\/index\.js now uses default\.ECHO/);
  });

  it('fails when the client comes to need its cache without being asked for it', async () => {
    edit('cluster/cluster-slots.js', (source) => `${source}\nnew cache_1.BasicPooledClientSideCache({});`);

    await expect(bundleSize()).rejects.toThrow(/cluster-slots\.js now uses the cache/);
  });

  it('fails when the client comes to need more of a module that is left out', async () => {
    edit('cluster/index.js', (source) => `${source}\ndispatch_1.splitByShard([]);`);

    await expect(bundleSize()).rejects.toThrow(/cluster\/index\.js now uses splitByShard, which is left out/);
  });

  it('fails when a module that is left out has moved', async () => {
    renameSync(inClient('client/pub-sub.js'), inClient('client/subscriptions.js'));
    for (const user of ['client/index.js', 'client/commands-queue.js']) {
      edit(user, (source) => source.replace('./pub-sub', './subscriptions'));
    }
    edit('cluster/cluster-slots.js', (source) => source.replace('../client/pub-sub', '../client/subscriptions'));

    await expect(bundleSize()).rejects.toThrow(/no longer has lib\/client\/pub-sub\.js/);
  });

  it('fails when the client comes to need more of its telemetry', async () => {
    edit('client/index.js', (source) => `${source}\nopentelemetry_1.OTelMetrics.instance;`);

    await expect(bundleSize()).rejects.toThrow(/now uses OTelMetrics/);
  });
});
