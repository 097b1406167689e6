import { afterEach, describe, expect, it } from '@jest/globals';
import { RIGHTS } from '#lib/consumer/operator/rights.generated.ts';
import { findLacks } from '#lib/redis/acl.ts';
import type { Check, CheckReport } from '#lib/contract/parameters/check.ts';
import type { InvocationFailure } from '#sandbox/aws/lambda.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { openRedis } from '../../support/consumer/consumer-fixture.ts';
import { createDocumentedUser } from '../../support/redis/documented-user.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { startContainer } from '../../support/aws/container.ts';
import { use } from '../../support/jest/use.ts';

/* mdm-check and stream-check as packaged functions, on a real Redis and the sandbox MDM. */

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());
const replica = await use(startRedisServer());
await replica.command('REPLICAOF', '127.0.0.1', '1');
await createDocumentedUser(redis, 'functions', 'secret');
const lambda = await use(startContainer(stack.secrets, { CONNECTOR_OPERATIONS: 'stream-consumer,stream-x*' }));

const ingest = { stream: 'cities', shards: 2, group: 'mdm' };
const userUrl = (user: string) => redis.url.replace('//', `//${user}:secret@`);
let configured = 0;
/** The configRef of a separate configuration. */
function configure(configuration: object): string {
  const configRef = `check-${++configured}`;
  stack.secrets.set(`test/${configRef}`, configuration);
  return configRef;
}
const onRedis = (url: string, more: object = {}) => configure({ redis: { url }, ingest, ...more });

async function check(name: 'mdm' | 'stream', parameters: object): Promise<CheckReport> {
  const response = await lambda.post(`/${name}/check`, parameters);
  expect(response.status).toBe(200);
  return response.json as CheckReport;
}
const statusesOf = ({ checks }: CheckReport) => Object.fromEntries(checks.map(({ name, status }) => [name, status]));
const found = ({ checks }: CheckReport, name: string) => checks.find((one) => one.name === name) as Check;
const failureOf = (name: string, parameters: object) =>
  lambda.invoke(name, parameters).then(
    () => undefined,
    (error: InvocationFailure) => error,
  );

afterEach(() => stack.mdm.behave());

describe('mdm-check', () => {
  it('mdm-check passes on a healthy tenant, and names what it found', async () => {
    const report = await check('mdm', { configRef: stack.configure(), businessEntity: 'c360.city' });

    expect(report.ok).toBe(true);
    expect(report.checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'secret passed',
      'login passed',
      'session passed',
      'metadata passed',
      'business-entity passed',
      'search passed',
    ]);
    expect(found(report, 'business-entity').detail).toMatch(/City; source systems: .*geonames/);
    expect(JSON.stringify(report)).not.toContain((stack.mdm.secret.auth as { password: string }).password);
  });

  it('mdm-check only reads', async () => {
    const before = stack.urls().length;
    await check('mdm', { configRef: stack.configure() });
    const urls = stack.urls().slice(before);

    expect(urls.length).toBeGreaterThan(1);
    expect(urls.filter((url) => !/^\/(metadata|search)\//.test(url))).toEqual([]);
  });

  it("mdm-check searches the tenant's first entity if none is given", async () => {
    const report = await check('mdm', { configRef: stack.configure() });

    expect(statusesOf(report)).toMatchObject({ 'business-entity': 'skipped', search: 'passed' });
    expect(report.ok).toBe(true);
  });

  it('mdm-check names the known entities if the given one does not exist', async () => {
    const report = await check('mdm', { configRef: stack.configure(), businessEntity: 'c360.planet' });

    expect(report.ok).toBe(false);
    expect(found(report, 'business-entity')).toMatchObject({ status: 'failed' });
    expect(found(report, 'business-entity').hint).toContain('c360.city');
    expect(statusesOf(report).search).toBe('skipped');
  });

  it('mdm-check reports a refused login as failed, and skips what depends on it', async () => {
    const auth = { ...(stack.mdm.secret.auth as object), password: 'wrong-password' };
    const report = await check('mdm', { configRef: stack.configure({ auth }) });

    expect(statusesOf(report)).toEqual({
      secret: 'passed',
      login: 'failed',
      session: 'skipped',
      metadata: 'skipped',
      'business-entity': 'skipped',
      search: 'skipped',
    });
    expect(found(report, 'search').detail).toBe('Not checked, because login failed');
    expect(JSON.stringify(report)).not.toContain('wrong-password');
  });

  it('mdm-check reports an invalid secret as failed', async () => {
    const report = await check('mdm', { configRef: stack.configure({ timeoutMs: 'long' }) });

    expect(found(report, 'secret')).toMatchObject({ status: 'failed' });
    expect(found(report, 'secret').detail).toContain('/mdm/timeoutMs');
  });

  it('mdm-check refuses an unknown configRef as a caller’s mistake', async () => {
    const { status, text } = await lambda.post('/mdm/check', { configRef: 'absent' });

    expect([status, (JSON.parse(text) as { type: string }).type]).toEqual([400, 'MDM:CLIENT_ERROR']);
  });

  it('mdm-check reads the data model again, and sees an API that has failed since', async () => {
    const configRef = stack.configure();
    await check('mdm', { configRef });
    stack.mdm.misbehave({ times: null, path: '/metadata', status: 500 });

    expect(statusesOf(await check('mdm', { configRef }))).toMatchObject({ login: 'passed', metadata: 'failed' });
  });

  it('mdm-check fails a direct invocation with CONNECTOR:CHECK, and names the check', async () => {
    const configRef = stack.configure();
    stack.mdm.misbehave({ times: null, path: '/search', status: 403 });
    const failure = await failureOf('mdm-check', { configRef });

    expect(failure).toMatchObject({ errorType: 'CONNECTOR:CHECK' });
    expect(failure!.errorMessage).toMatch(/^search failed: .*403/);
    expect(JSON.parse(failure!.trace.at(-1)!)).toMatchObject({ status: 503 });
  });

  it('mdm-check succeeds as a direct invocation on a healthy tenant', async () => {
    expect(await lambda.invoke('mdm-check', { configRef: stack.configure() })).toMatchObject({ ok: true });
  });
});

describe('stream-check', () => {
  it('stream-check passes with the documented user, before any stream exists', async () => {
    const report = await check('stream', { configRef: onRedis(userUrl('functions')) });

    expect(report.checks.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(report.ok).toBe(true);
    expect(found(report, 'server').detail).toMatch(/^(Redis|Valkey) \d+\.\d+\.\d+, standalone, master$/);
    expect(found(report, 'streams').detail).toMatch(/^0 of 2 streams exist; 0 have the group mdm/);
    expect(JSON.stringify(report)).not.toContain('secret@');
  });

  it('stream-check writes nothing', async () => {
    await check('stream', { configRef: onRedis(redis.url) });

    expect(await redis.command('KEYS', '*')).toEqual([]);
  });

  it.each([
    ['xack', 'failed'],
    ['xclaim', 'failed'],
    ['xrevrange', 'warning'],
  ])('stream-check names +%s if the user lacks it (%s)', async (right, status) => {
    const user = `without-${right}`;
    await redis.command('ACL', 'SETUSER', user, 'reset', 'on', '>secret', '~*', '+@all', `-${right}`);
    const report = await check('stream', { configRef: onRedis(userUrl(user)), failOn: 'warning' });

    expect(report.ok).toBe(false);
    expect(found(report, 'rights')).toMatchObject({ status, hint: `ACL SETUSER ${user} +${right}` });
  });

  it('stream-check names the keys that the consumer may not use', async () => {
    await redis.command('ACL', 'SETUSER', 'narrow', 'reset', 'on', '>secret', '~cities:*', '+@all');
    const report = await check('stream', { configRef: onRedis(userUrl('narrow')) });

    expect(found(report, 'rights')).toMatchObject({ status: 'failed' });
    expect(found(report, 'rights').detail).toContain('the key {cities:0}:lease:mdm');
  });

  it('stream-check skips what the user may not ask', async () => {
    await redis.command('ACL', 'SETUSER', 'modest', 'reset', 'on', '>secret', '~*', '+@all', '-info', '-acl');
    const report = await check('stream', { configRef: onRedis(userUrl('modest')) });

    expect(found(report, 'server')).toMatchObject({ status: 'skipped', hint: 'Grant +info' });
    expect(found(report, 'rights')).toMatchObject({ status: 'skipped', hint: 'Grant +acl|dryrun' });
    expect(report.ok).toBe(true);
  });

  it('stream-check says that a secret has no Redis', async () => {
    stack.secrets.set('test/without-redis', { mdm: stack.mdm.secret });

    const report = await check('stream', { configRef: 'without-redis' });

    expect(found(report, 'secret')).toMatchObject({
      status: 'failed',
      detail: 'The secret of configRef without-redis has no redis part',
    });
  });

  it('stream-check reports a replica as not being a primary', async () => {
    const report = await check('stream', { configRef: onRedis(replica.url) });

    expect(found(report, 'server')).toMatchObject({ status: 'failed', hint: expect.stringContaining('primary') });
  });

  it('stream-check reports a failed connection if nothing listens', async () => {
    const report = await check('stream', { configRef: onRedis(`redis://127.0.0.1:${await freePort()}`) });

    expect(statusesOf(report)).toMatchObject({ secret: 'passed', connection: 'failed', server: 'skipped' });
  });

  it('stream-check fails or warns by what the server deletes when memory is full, and warns before it is', async () => {
    const configRef = onRedis(redis.url);
    const memory = [];
    await redis.command('CONFIG', 'SET', 'maxmemory', '500mb');
    for (const policy of ['allkeys-lru', 'volatile-ttl', 'noeviction']) {
      await redis.command('CONFIG', 'SET', 'maxmemory-policy', policy);
      memory.push(statusesOf(await check('stream', { configRef })).memory);
    }
    const used = Number(/used_memory:(\d+)/.exec(String(await redis.command('INFO', 'memory')))![1]);
    await redis.command('CONFIG', 'SET', 'maxmemory', String(Math.floor(used / 0.9)));
    memory.push(statusesOf(await check('stream', { configRef })).memory);
    await redis.command('CONFIG', 'SET', 'maxmemory', '0', 'maxmemory-policy', 'allkeys-lru'); // without effect
    memory.push(statusesOf(await check('stream', { configRef })).memory);
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');

    expect(memory).toEqual(['failed', 'warning', 'passed', 'warning', 'passed']);
  });

  it("stream-check shows the consumer's backlog, pause and dead letters", async () => {
    const old = Date.now() - 3_600_000;
    await redis.command('XADD', 'cities:0', `${old}-0`, 'a', '1');
    await redis.command('XADD', 'cities:1', `${old - 3_600_000}-0`, 'a', '1');
    await redis.command('XGROUP', 'CREATE', 'cities:1', 'mdm', '0');
    await redis.command('XREADGROUP', 'GROUP', 'mdm', 'c', 'STREAMS', 'cities:1', '>');
    await redis.command('SET', '{cities:1}:pause:mdm', String(Date.now() + 60_000), 'PX', '60000');
    await redis.command('XADD', '{cities:0}:dead:mdm', '*', 'dl-reason', 'x', 'dl-error-type', 'MDM:CLIENT_ERROR');
    await redis.command('HSET', '{cities:0}:state:mdm', 'level', '1');
    for (const reason of ['y', 'y'])
      await redis.command('XADD', '{cities:1}:dead:mdm', '*', 'dl-reason', reason, 'dl-error-type', 'MDM:TIMEOUT');
    const report = await check('stream', { configRef: onRedis(redis.url) });
    await redis.command('FLUSHALL');

    expect(statusesOf(report)).toMatchObject({ backlog: 'warning', consumer: 'warning', 'dead-letters': 'warning' });
    expect(found(report, 'backlog').detail).toMatch(/^1 unread, 1 pending, the oldest 720\d s old$/);
    expect(found(report, 'streams').detail).toBe(
      '2 of 2 streams exist; 1 have the group mdm. The first enqueue makes a stream, the first run a group',
    );
    expect(found(report, 'breaker')).toMatchObject({
      status: 'warning',
      detail: 'Open or half-open in 1 of 2 shards',
    });
    expect(found(report, 'dead-letters').detail).toBe('3; most often MDM:TIMEOUT: y');
    expect(report.ok).toBe(true);
  });

  it('stream-check looks at the dead letters, and rights, of the stream that the secret names for them', async () => {
    const named = { ingest: { ...ingest, consumer: { deadLetterStream: 'letters' } } };
    await redis.command('XADD', 'letters', '*', 'dl-stream', 'cities:0', 'dl-group', 'mdm', 'dl-reason', 'full');
    const report = await check('stream', { configRef: onRedis(redis.url, named) });
    await redis.command('FLUSHALL');
    const keys = ['resetkeys', '~cities:*', '~{cities:*', '~*wake*'];
    await redis.command('ACL', 'SETUSER', 'keyed', 'on', '>secret', '+@all', ...keys);
    const keyed = await check('stream', { configRef: onRedis(userUrl('keyed'), named) });

    expect(found(report, 'dead-letters')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/^1; .*full$/),
    });
    expect(found(keyed, 'rights')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('stream-consumer lacks the key letters'),
    });
  });

  it('stream-check asks no right to write for a secret that allows only reads', async () => {
    await redis.command('ACL', 'SETUSER', 'reader', 'reset', 'on', '>secret', '%R~*', '+@all', '-@write');
    const report = await check('stream', {
      configRef: onRedis(userUrl('reader'), { access: { readOnly: true } }),
      failOn: 'warning',
    });

    expect(found(report, 'rights')).toMatchObject({ status: 'passed' });
    expect(report.ok).toBe(true);
  });

  it('stream-check names a key that is not a stream', async () => {
    await redis.command('SET', 'cities:1', 'text');
    const report = await check('stream', { configRef: onRedis(redis.url) });
    await redis.command('FLUSHALL');

    expect(found(report, 'streams')).toMatchObject({ status: 'failed', detail: 'Not a stream: cities:1' });
  });

  it('stream-check refuses a stream that the secret does not allow', async () => {
    const configRef = onRedis(redis.url, { access: { keys: ['cities:*'] } });
    const { status, text } = await lambda.post('/stream/check', { configRef, stream: 'orders' });

    expect([status, (JSON.parse(text) as { type: string }).type]).toEqual([403, 'STREAM:COMMAND']);
  });

  it('stream-check fails a direct invocation with CONNECTOR:CHECK as its failOn says', async () => {
    const configRef = onRedis(redis.url);
    await redis.command('SET', '{cities:1}:pause:mdm', String(Date.now() + 60_000), 'PX', '60000');
    const usual = await failureOf('stream-check', { configRef });
    const strict = await failureOf('stream-check', { configRef, failOn: 'warning' });
    await redis.command('FLUSHALL');

    expect(usual).toBeUndefined();
    expect(strict).toMatchObject({
      errorType: 'CONNECTOR:CHECK',
      errorMessage: 'consumer warns: Paused in 1 of 2 shards',
    });
  });
});

describe('the calls that test rights', () => {
  it("the calls that test rights fit each command's arity, so the server answers", async () => {
    const client = openRedis(redis.port, 2000);
    const rights = [...new Set(Object.values(RIGHTS).flatMap((words) => words.split(' ')))];

    expect(
      await findLacks(
        client,
        'default',
        rights.map((right) => ({ right, key: 'orders' })),
      ),
    ).toEqual([]);
    client.end();
  });
});
