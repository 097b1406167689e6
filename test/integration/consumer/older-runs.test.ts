import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { deadLetterStreamOf, restKeyOf, stateKeyOf } from '#lib/consumer/redis-keys.ts';
import { startRuntime, type Runtime } from '#sandbox/aws/runtime/runtime.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { startMdmStack, type MdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { until } from '../../support/until.ts';

/*
 * Runs before and after an upgrade, side by side: those of today, and those of commit 3a097f5, as it was packaged. How
 * test/fixtures/consumer-3a097f5.cjs.gz was made, its first line says.
 */

type Name = 'consumer' | 'redrive' | 'pause';
type Version = 'an old' | 'a new';
const LEASE_MS = 1000;
const ROOT = process.cwd();
let old: string;
let server: RedisServer;
let stack: MdmStack;
const started: Runtime[] = [];
const kept = new Map<string, Promise<Runtime>>();
let stream = '';
let number = 0;

beforeAll(async () => {
  old = mkdtempSync(join(tmpdir(), 'consumer-3a097f5-'));
  writeFileSync(join(old, 'index.cjs'), gunzipSync(readFileSync('test/fixtures/consumer-3a097f5.cjs.gz')));
  [server, stack] = await Promise.all([startRedisServer(), startMdmStack()]);
  stack.secrets.set('test/default', { mdm: stack.mdm.secret, redis: { url: server.url } });
});
beforeEach(() => {
  stream = `versions-${++number}:0`;
  stack.mdm.behave();
});
afterAll(async () => {
  await Promise.all(started.map((runtime) => runtime.stop()));
  await Promise.all([server.stop(), stack.close()]);
  rmSync(old, { recursive: true });
});

async function start(version: Version, name: Name): Promise<Runtime> {
  const env = { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: stack.secrets.url };
  const [taskRoot, handler] =
    version === 'an old' ? [old, `index.${name}`] : [ROOT, `.build/functions/stream-${name}/index.handler`];
  const runtime = await startRuntime({ taskRoot, handler, functionName: `app-test-stream-${name}`, env });
  started.push(runtime);
  return runtime;
}

/** Invokes an operation, in a container that is kept for it. */
async function invoke<T = Record<string, unknown>>(version: Version, name: Name, input: object = {}): Promise<T> {
  const key = `${version} ${name}`;
  if (!kept.has(key)) kept.set(key, start(version, name));
  const parameters = { stream, group: 'mdm', ...input };
  const { payload, functionError } = await (await kept.get(key)!).invoke(JSON.stringify(parameters));
  expect([functionError, payload]).toEqual([undefined, payload]);
  return JSON.parse(payload) as T;
}

const SETTINGS = { leaseMs: LEASE_MS, backoffMs: 1 };
const run = (version: Version, settings: object = {}) => invoke(version, 'consumer', { ...SETTINGS, ...settings });

/** A run that is killed while the MDM has an entry. */
async function runAndKill(version: Version, settings: object = {}, meanwhile: () => Promise<void> = async () => {}) {
  stack.mdm.misbehave({ bodyIncludes: 'slow', delayMs: 60_000 });
  const seen = submitted().length;
  const runtime = await start(version, 'consumer');
  const ended = runtime.invoke(JSON.stringify({ stream, group: 'mdm', ...SETTINGS, ...settings }));
  await until(async () => submitted().length > seen);
  await meanwhile();
  await runtime.stop();
  await ended;
  await sleep(LEASE_MS);
}

async function add(...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const record = JSON.stringify({ name, country: { Code: 'DE' } });
    const fields = {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      sourcePKey: `${stream} ${name[0]}`,
      record,
    };
    ids.push((await server.command('XADD', stream, '*', ...Object.entries(fields).flat())) as string);
  }
  return ids;
}

/** Names of the records that the MDM was given, in order. */
const submitted = () =>
  stack.mdm.requests
    .filter(({ url }) => new URL(url, 'http://mdm').searchParams.get('sourcePKey')?.startsWith(stream))
    .map(({ body }) => /"name":"([^"]+)"/.exec(body)![1]);

async function letters(): Promise<string[][]> {
  const all = (await server.command('XRANGE', deadLetterStreamOf(stream, 'mdm'), '-', '+')) as [string, string[]][];
  return all.map(([, fields]) => fields);
}

const VERSIONS: [Version, Version][] = [
  ['an old', 'a new'],
  ['a new', 'an old'],
];

describe.each(VERSIONS)('%s run followed by %s one', (first, second) => {
  it('two versions exclude each other, and the second continues where the killed first one stopped', async () => {
    await add('a-1-slow', 'a-2', 'b-1');

    await runAndKill(first, {}, async () => {
      expect(await run(second)).toMatchObject({ read: 0, processed: 0, stoppedBecause: 'lease-held' });
    });
    const report = await run(second);

    expect(report).toMatchObject({ read: 0, pending: 0, stoppedBecause: 'drained' });
    expect(submitted().filter((name) => name!.startsWith('a'))).toEqual(['a-1-slow', 'a-1-slow', 'a-2']);
  });

  it("two versions share an entry's count of tries and its back-off", async () => {
    const [id] = await add('a-bad');
    stack.mdm.misbehave({ bodyIncludes: 'bad', status: 500, times: null });
    const settings = { maxDeliveries: 3, backoffMs: 60_000 };
    const state = stateKeyOf(stream, 'mdm');
    const passTime = async (own: number) => {
      expect(await server.command('HGET', state, `e:${id}`)).toMatch(new RegExp(`^${own},0,\\d{13}(,|$)`));
      await server.command('HSET', state, `e:${id}`, `${own},0,0`);
    };

    expect(await run(first, settings)).toMatchObject({ failed: 1, pending: 1 });
    expect(await run(second, settings)).toMatchObject({ failed: 0, pending: 1 });
    await passTime(1);
    expect(await run(second, settings)).toMatchObject({ failed: 1, pending: 1 });
    await passTime(2);
    expect(await run(first, { ...settings, backoffMs: 1 })).toMatchObject({ deadLettered: 1, pending: 0 });

    const [letter] = await letters();
    expect(letter!.join(' ')).toContain('dl-deliveries 3');
    expect(await server.command('HGET', state, `e:${id}`)).toBeNull();
  });

  it('two versions share the count of crashes, and dead-letter the entry after the third', async () => {
    await add('a-slow', 'a-2');
    const settings = { maxDeliveries: 1 };

    for (const version of [first, second, first, second]) await runAndKill(version, settings);
    await run(first, settings);

    const [letter] = await letters();
    expect(letter!.join(' ')).toContain('dl-error-type CONNECTOR:CRASH');
    expect(submitted()).toEqual(['a-slow', 'a-slow', 'a-slow', 'a-slow', 'a-2']);
  }, 60_000);

  it("the second version honours the first one's rest and breaker level", async () => {
    await add(...'abcdef');
    stack.mdm.misbehave({ path: '/business-entity', status: 503, headers: { 'retry-after': '60' }, times: null });

    expect(await run(first, { concurrency: 1 })).toMatchObject({
      processed: 0,
      stoppedBecause: 'upstream-unavailable',
    });
    expect(await server.command('HGET', stateKeyOf(stream, 'mdm'), 'level')).toBe('1');
    expect(await run(second)).toMatchObject({ read: 0, failed: 0, stoppedBecause: 'upstream-unavailable' });
    stack.mdm.behave();
    await server.command('DEL', restKeyOf(stream, 'mdm'), stateKeyOf(stream, 'mdm')); // as when its time is over
    await server.command('HSET', stateKeyOf(stream, 'mdm'), 'level', '1');

    expect(await run(second)).toMatchObject({ processed: 6, pending: 0, stoppedBecause: 'drained' });
    expect(await server.command('HGET', stateKeyOf(stream, 'mdm'), 'level')).toBeNull();
  });

  it("each version honours the other's pause, and can end it", async () => {
    await add('a');

    await invoke(first, 'pause', { forMs: 60_000 });
    expect(await run(second)).toMatchObject({ read: 0, stoppedBecause: 'paused' });
    await invoke(second, 'pause', { resume: true });

    expect(await run(first)).toMatchObject({ processed: 1 });
  });

  it("each version notes what came after the other's letters, and a redrive by either leaves those", async () => {
    await add('a-1-bad', 'b-1-bad');
    stack.mdm.misbehave({ bodyIncludes: 'bad', status: 422, times: null });
    expect(await run(first)).toMatchObject({ deadLettered: 2 });
    stack.mdm.behave();
    await add('a-2');
    expect(await run(second)).toMatchObject({ processed: 1 });

    expect(await invoke(first, 'redrive', { dryRun: true })).toMatchObject({ superseded: 1 });
    expect(await invoke(second, 'redrive')).toMatchObject({ redriven: 1, superseded: 1, remaining: 1 });
    expect(await run(first)).toMatchObject({ processed: 1 });
    expect(submitted().slice(2)).toEqual(['a-2', 'b-1-bad']);
  });

  it('each version knows how old a letter is that the other put back, and leaves it behind a newer one', async () => {
    await add('a-1-bad', 'a-2-bad');
    stack.mdm.misbehave({ bodyIncludes: 'bad', status: 422, times: null });
    await run(first);
    expect(await invoke(first, 'redrive', { count: 1 })).toMatchObject({ redriven: 1 });
    expect(await run(second)).toMatchObject({ deadLettered: 1 }); // the older one, now behind the newer one
    stack.mdm.behave();

    expect(await invoke(second, 'redrive')).toMatchObject({ redriven: 1, superseded: 1, remaining: 1 });
    await run(first);

    expect(submitted().slice(3)).toEqual(['a-2-bad']);
  });
});

describe('a new run of a stream whose whole name is its hash tag', () => {
  beforeEach(() => {
    stream = `{versions-${number}}`;
  });

  it("a new run takes over the old one's letters and tries if the stream is its own hash tag", async () => {
    const [, failing] = await add('a-1-refused', 'b-1-failing', 'c-1-refused');
    const settings = { maxDeliveries: 2, backoffMs: 60_000 };
    stack.mdm.misbehave(
      { bodyIncludes: 'refused', status: 422, times: null },
      { bodyIncludes: 'failing', status: 500, times: null },
    );
    expect(await run('an old', settings)).toMatchObject({ deadLettered: 2, failed: 1, pending: 1 });
    await add('a-2');
    expect(await run('an old', settings)).toMatchObject({ processed: 1, pending: 1 });
    const lease = `${stream}:lease:mdm`;
    await server.command('SET', lease, 'token', 'PX', '60000');
    expect(await run('a new')).toMatchObject({ read: 0, processed: 0, stoppedBecause: 'lease-held' });
    await server.command('DEL', lease);

    await server.command('HSET', `${stream}:state:mdm`, `e:${failing}`, '1,0,0'); // as when its time is over
    expect(await run('a new', settings)).toMatchObject({ deadLettered: 1, pending: 0 });

    expect((await letters()).map((fields) => /-1-[a-z]+/.exec(fields.join(' '))![0])).toEqual([
      '-1-refused',
      '-1-refused',
      '-1-failing',
    ]);
    expect(await server.command('XLEN', `${stream}:dead:mdm`)).toBe(0);
    stack.mdm.behave();
    expect(await invoke('a new', 'redrive')).toMatchObject({ redriven: 2, superseded: 1, remaining: 1 });
  });

  it("a new run leaves the other stream's letters if the stream is its own hash tag", async () => {
    const other = stream.slice(1, -1);
    const letter = (group: string, id: string) => [
      'sourcePKey',
      'k',
      'dl-stream',
      group,
      'dl-group',
      'mdm',
      'dl-source-id',
      id,
      'dl-error-type',
      'X',
      'dl-reason',
      'x',
    ];
    const former = `${stream}:dead:mdm`;
    for (const name of [other, stream, other]) await server.command('XADD', former, '*', ...letter(name, '1-0'));

    const { entries } = await invoke<{ entries: { id: string }[] }>('a new', 'redrive', { dryRun: true });

    expect(entries).toHaveLength(1);
    expect(await letters()).toEqual([letter(stream, '1-0')]);
    expect(await server.command('XLEN', former)).toBe(2);
    const [{ id }] = entries as [{ id: string }];
    expect(await server.command('XDEL', deadLetterStreamOf(stream, 'mdm'), id)).toBe(1);
  });
});
