import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trimRedis } from '../../../scripts/build/trim-redis.ts';

const CLIENT = new URL('../../../node_modules/@redis/client/', import.meta.url).pathname;
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
  it('takes more than 245 kB off', async () => {
    expect(await bundleSize()).toBeLessThan((await bundleSize([])) - 245_000);
  });

  it('fails when a command that the client needs is no longer registered', async () => {
    edit('commands/index.js', (source) => source.replace('clusterSlots: CLUSTER_SLOTS_1.default', ''));

    await expect(bundleSize()).rejects.toThrow(/no longer registers CLUSTER_SLOTS/);
  });

  it('fails when the client comes to need another command', async () => {
    edit('client/index.js', (source) => `${source}\ncommands_1.default.ECHO;`);

    await expect(bundleSize()).rejects.toThrow(/client\/index\.js now calls ECHO/);
  });

  it('fails when the client comes to need its cache without being asked for it', async () => {
    edit('cluster/cluster-slots.js', (source) => `${source}\nnew cache_1.BasicPooledClientSideCache({});`);

    await expect(bundleSize()).rejects.toThrow(/cluster-slots\.js now uses the cache/);
  });

  it('fails when the client comes to need more of its telemetry', async () => {
    edit('client/index.js', (source) => `${source}\nopentelemetry_1.OTelMetrics.instance;`);

    await expect(bundleSize()).rejects.toThrow(/now uses OTelMetrics/);
  });
});
