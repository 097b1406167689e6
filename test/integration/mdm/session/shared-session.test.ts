import { describe, expect, it } from '@jest/globals';
import { readMdmConfig } from '#lib/mdm/session/mdm-config.ts';
import { SessionKeeper } from '#lib/mdm/session/session.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { KEPT_MS } from '#lib/mdm/session/redis-session-store.ts';
import { sealOf } from '#lib/mdm/session/sealing.ts';
import type { MdmConfig } from '#lib/config/config.schema.ts';
import { invokeSource } from '#test/support/aws/source-handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { startRedisCluster } from '#test/support/redis/redis-cluster.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { until } from '#test/support/until.ts';
import { startSandboxMdm, type SandboxOptions } from '#sandbox/mdm/index.ts';
import { use } from '#test/support/jest/use.ts';
import { startContainer } from '#test/support/aws/container.ts';

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());

/** A tenant whose containers share their session; a keeper is what a container has of it. */
async function tenant(options: SandboxOptions = {}, config: Record<string, unknown> = {}) {
  const mdm = await use(startSandboxMdm(options));
  const shared = { ...mdm.secret, sessionStore: 'redis', ...config };
  const configRef = stack.configure(shared, { redis: { url: redis.url, connectTimeoutMs: 15_000 } });
  const mdmConfig = await readMdmConfig(configRef, 'mdm');
  const containers = Array.from({ length: 200 }, () => new SessionKeeper(configRef, 'mdm'));
  return {
    mdm,
    configRef,
    mdmConfig,
    containers,
    open: () => Promise.all(containers.map(async (keeper) => keeper.current(mdmConfig))),
  };
}

const names = async () => (await redis.command('KEYS', 'mdm-session:*}')) as string[];
const locks = async () => (await redis.command('KEYS', 'mdm-session:*:lock')) as string[];

describe('a session shared through Redis', () => {
  it('one login opens a shared session for 200 cold containers', async () => {
    const { mdm, open } = await tenant();

    const sessions = await open();

    expect(new Set(sessions.map(({ id }) => id)).size).toBe(1);
    expect(mdm.logins).toBe(1);
  }, 20_000);

  it('one login renews a shared session that ends under all containers', async () => {
    const { mdm, mdmConfig, containers, open } = await tenant();
    const opened = await open();
    const ended = opened[0]!;
    containers.forEach((keeper, index) => keeper.accepted(opened[index]!));
    mdm.sessions.expireAll();

    const renewed = await Promise.all(containers.map((keeper) => keeper.renew(ended, mdmConfig)));

    expect(new Set(renewed.map(({ session }) => session?.id)).size).toBe(1);
    expect(renewed[0]!.session?.id).not.toBe(ended.id);
    expect(mdm.logins).toBe(2);
  }, 20_000);

  it('a shared session is stored in Redis encrypted, for a bounded time, under a name without the user', async () => {
    const { containers, mdmConfig } = await tenant({ username: 'erika.mustermann' });
    const { id } = await containers[0]!.current(mdmConfig);

    const all = (await redis.command('KEYS', 'mdm-session:*')) as string[];
    const held = await Promise.all(
      all.map(async (name) => [await redis.command('GET', name), Number(await redis.command('PTTL', name))]),
    );

    expect(all.join()).not.toContain('mustermann');
    for (const [value, ttl] of held) {
      expect(value).not.toContain(id);
      expect(Buffer.from(String(value), 'base64').toString('latin1')).not.toContain(id);
      expect(ttl).toBeGreaterThan(0);
    }
  });

  it('a shared session is not found with another password, nor after tampering', async () => {
    const { mdm, configRef, containers, mdmConfig } = await tenant();
    const first = await containers[0]!.current(mdmConfig);
    const [name] = ((await redis.command('KEYS', 'mdm-session:*')) as string[]).sort();
    mdm.sessions.password = 'rotated';
    const changed = { ...mdmConfig, auth: { ...mdm.secret.auth, password: 'rotated' } };
    stack.secrets.set(`test/${configRef}`, { mdm: changed, redis: { url: redis.url } });

    const second = await new SessionKeeper(configRef, 'mdm').current(changed);
    await redis.command('SET', name!, 'AAAA');
    const third = await new SessionKeeper(configRef, 'mdm').current(changed);

    expect(new Set([first.id, second.id, third.id]).size).toBeGreaterThanOrEqual(2);
    expect(second.id).not.toBe(first.id);
  });

  it('another container takes over the login of one that died', async () => {
    const { mdm, containers, mdmConfig } = await tenant({}, { timeoutMs: 2000 });
    mdm.misbehave({ path: '/saas', delayMs: 1000 });
    const before = await locks();
    const dead = containers[0]!.current(mdmConfig);
    await until(async () => (await locks()).length > before.length);
    const lock = (await locks()).find((name) => !before.includes(name))!;
    await redis.command('SET', lock, 'of a dead container', 'PX', '10000');

    const session = await containers[1]!.current(mdmConfig); // waits no longer than a login may take

    expect(session.id).toMatch(/^sid-/);
    await dead;
    await redis.command('DEL', lock);
  });

  it('each container has its own session while Redis is unreachable', async () => {
    const { mdm, containers, mdmConfig } = await tenant();
    await redis.kill();

    const sessions = await Promise.all(containers.slice(0, 3).map(async (keeper) => keeper.current(mdmConfig)));

    await redis.start();
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(3);
    expect(mdm.logins).toBe(3);
  });

  it('a refused shared login is tried once, so no account is locked', async () => {
    const { mdm, containers, mdmConfig } = await tenant();
    mdm.sessions.password = 'changed without notice';

    const outcomes = await Promise.allSettled(containers.slice(0, 50).map(async (keeper) => keeper.current(mdmConfig)));

    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        reason: { type: 'MDM:CLIENT_ERROR', status: 502, upstreamStatus: 401, upstreamCode: 'IDS_085' },
      });
    }
    expect(mdm.sessions.refusedLogins).toBe(1);
  });
});

it('a session is shared through a Redis cluster', async () => {
  const cluster = await startRedisCluster();
  const mdm = await use(startSandboxMdm());
  const redisConfig = { mode: 'cluster', nodes: cluster.nodes };
  const configRef = stack.configure({ ...mdm.secret, sessionStore: 'redis' }, { redis: redisConfig });
  const config = await readMdmConfig(configRef, 'mdm');
  const containers = Array.from({ length: 5 }, () => new SessionKeeper(configRef, 'mdm'));

  await Promise.all(containers.map(async (keeper) => keeper.current(config)));
  await cluster.stop();

  expect(mdm.logins).toBe(1);
});

describe('a refused shared session', () => {
  /** Reads as containers do, each with its own keeper: the configRefs name the same secret. */
  async function fleet(size: number, options: SandboxOptions = {}) {
    const { mdm, configRef } = await tenant(options);
    const record = { name: 'Bonn', country: { Code: 'DE' } };
    mdm.records.submit({ entity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1', record });
    const refs = Array.from({ length: size }, (_, at) => `${configRef}-${at}`);
    const rotate = (password: string) => {
      mdm.sessions.password = password;
      const shared = { ...mdm.secret, auth: { ...mdm.secret.auth, password }, sessionStore: 'redis' };
      for (const ref of refs) stack.secrets.set(`test/${ref}`, { mdm: shared, redis: { url: redis.url } });
    };
    rotate(mdm.sessions.password);
    const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1' };
    const reads = refs.map(
      (ref) =>
        ({ timeoutMs = 30_000 } = {}) =>
          invokeSource(masterRead, { configRef: ref, ...key }, { timeoutMs }),
    );
    return { mdm, reads, rotate };
  }

  it('a refused shared session is replaced even for a container with an older one', async () => {
    const { mdm, reads } = await fleet(2);
    const [first, second] = reads;
    await first!(); // holds the first session
    mdm.sessions.expireAll();
    await second!(); // shares a second one
    mdm.sessions.expireAll(); // and that ends as well

    expect((await first!()).attributes.statusCode).toBe(200);
    expect(mdm.logins).toBe(3);
  });

  it('a refused shared session is replaced immediately if another container opened it a while ago', async () => {
    const before = await names();
    const { mdm, reads } = await fleet(2);
    const [first, second] = reads;
    await first!();
    mdm.sessions.expireAll();
    await second!();
    const shared = (await names()).find((name) => !before.includes(name))!;
    await redis.command('PEXPIRE', shared, String(KEPT_MS - 10_000)); // as if ten seconds had passed
    mdm.sessions.expireAll();

    expect((await first!({ timeoutMs: 3_000 })).attributes.statusCode).toBe(200);
    expect(mdm.logins).toBe(3);
  });

  it('a refused shared session is replaced immediately for a container whose own session had ended', async () => {
    const { mdm, reads } = await fleet(2, { session: { kind: 'jwt', lifetimeMs: 15 * 60_000 } });
    const [first, second] = reads;
    await first!();
    mdm.sessions.expireAll();
    await second!();
    mdm.sessions.expireAll();
    const realNow = Date.now;
    Date.now = () => realNow() + 3_600_000; // as if the first container had been frozen for an hour

    const read = await first!({ timeoutMs: 3_000 }).finally(() => (Date.now = realNow));

    expect(read.attributes.statusCode).toBe(200);
    expect(mdm.logins).toBe(3);
  });

  it('a refused shared session is replaced even for a container with the old password', async () => {
    const { mdm, reads, rotate } = await fleet(2);
    const [early, late] = reads;
    await early!();
    rotate('rotated');
    await late!(); // shares a session under the new password
    mdm.sessions.expireAll();

    expect((await early!()).attributes.statusCode).toBe(200);
    expect([mdm.logins, mdm.sessions.refusedLogins]).toEqual([3, 1]);
  });

  it('an API that refuses every session does not cause a login for every call and container', async () => {
    const { mdm, reads } = await fleet(10);
    await Promise.all(reads.map((read) => read()));
    mdm.misbehave({ path: '/business-entity', status: 401, times: null });

    for (let round = 0; round < 10; round++) await Promise.allSettled(reads.map((read) => read()));

    expect(mdm.logins).toBeLessThanOrEqual(6); // some see the refusal before its pause is known to all
  });
});

it('cold containers keep to the pause of another, and do not replace its refused session', async () => {
  const { mdm, mdmConfig, containers } = await tenant();
  const [first, ...cold] = containers.slice(0, 10);
  const refused = await first!.current(mdmConfig);
  first!.accepted(refused);
  const { session: successor } = await first!.renew(refused, mdmConfig);
  const realNow = Date.now;
  Date.now = () => realNow() + 2_000; // the API has had time to know it
  const { pauseMs } = await first!.renew(successor!, mdmConfig);
  const sessions = await Promise.all(cold.map(async (keeper) => keeper.current(mdmConfig)));
  Date.now = () => realNow() + 4_000;

  const renewals = await Promise.all(cold.map(async (keeper, at) => keeper.renew(sessions[at]!, mdmConfig))).finally(
    () => (Date.now = realNow),
  );

  expect(pauseMs).toBe(5_000);
  for (const renewal of renewals) expect(renewal).toEqual({ pauseMs: expect.any(Number) });
  expect(mdm.logins).toBe(2);
});

it('a refused login holds back all containers for a pause, which doubles with the next refusal', async () => {
  const { mdm, mdmConfig, containers } = await tenant();
  mdm.sessions.password = 'changed';
  const before = await names();
  const tryIn = (at: number) => expect(containers[at]!.current(mdmConfig)).rejects.toMatchObject({ status: 502 });
  await tryIn(0);
  const [name] = (await names()).filter((one) => !before.includes(one));
  const keptMs = async () => Number(await redis.command('PTTL', name!));

  expect(await keptMs()).toBeGreaterThan(5_000); // twice the pause
  await redis.command('PEXPIRE', name!, '60000'); // not over, however slow this machine is
  await tryIn(1);
  expect(mdm.sessions.refusedLogins).toBe(1);
  await redis.command('PEXPIRE', name!, '4000'); // the pause is over
  await tryIn(2);
  await tryIn(3);

  expect(mdm.sessions.refusedLogins).toBe(2);
  expect(await keptMs()).toBeGreaterThan(10_000);
});

it('one container takes over a hanging login, not all that wait for it', async () => {
  const { mdm, mdmConfig, containers } = await tenant({}, { timeoutMs: 1500 });
  mdm.misbehave({ path: '/saas', delayMs: 60_000 });

  const sessions = await Promise.allSettled(containers.slice(0, 20).map(async (keeper) => keeper.current(mdmConfig)));

  expect(sessions.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(1);
  expect(mdm.requests.length).toBeLessThanOrEqual(3);
}, 20_000);

it('a token is shared for as long as it lives, even by a container with a wrong clock', async () => {
  const { mdm, mdmConfig, containers } = await tenant({ session: { kind: 'jwt', lifetimeMs: 15 * 60_000 } });
  const realNow = Date.now;
  await containers[0]!.current(mdmConfig);
  Date.now = () => realNow() + 3_600_000;

  await Promise.all(containers.slice(1, 10).map(async (keeper) => keeper.current(mdmConfig))).finally(
    () => (Date.now = realNow),
  );

  expect(mdm.logins).toBe(1);
});

describe("the shared session's encryption", () => {
  const config = (more: object) =>
    ({ auth: { type: 'login-v3', loginUrl: 'https://a', username: 'u', password: 'p' }, ...more }) as MdmConfig;

  it('a shared session can be opened only with the same credentials', async () => {
    const [seal, same, other] = await Promise.all([
      sealOf(config({})),
      sealOf(config({ timeoutMs: 7 })),
      sealOf(config({ auth: { ...config({}).auth, password: 'q' } })),
    ]);

    expect(same.open(seal.seal('session'))).toBe('session');
    expect(other.open(seal.seal('session'))).toBeUndefined();
    expect(other.name).not.toBe(seal.name);
    expect(seal.open(`${seal.seal('session').slice(0, -4)}AAAA`)).toBeUndefined();
    expect(seal.open('')).toBeUndefined();
    // a tag of 4 bytes is guessed soon
    expect(seal.open(Buffer.from(seal.seal(''), 'base64').subarray(0, -12).toString('base64'))).toBeUndefined();
  });

  it("a shared session's password is slow to guess, unless there is a separate key", async () => {
    const took = async (more: object) => {
      const before = process.cpuUsage();
      await sealOf(config(more));
      return process.cpuUsage(before).user / 1000;
    };

    expect(await took({ baseUrl: 'https://b' })).toBeGreaterThan(30);
    expect(await took({ baseUrl: 'https://c', sessionKey: 'k'.repeat(32) })).toBeLessThan(30);
  });
});

it('containers of packaged functions share a session', async () => {
  const { mdm, configRef } = await tenant();
  const containers = await Promise.all([
    startContainer(stack.secrets),
    startContainer(stack.secrets),
    startContainer(stack.secrets),
  ]);

  const answers = await Promise.all(
    containers.map((lambda) => lambda.post('/mdm/metadata-read', { configRef, resource: 'RELATIONSHIP' })),
  );
  await Promise.all(containers.map((lambda) => lambda.stop()));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(mdm.logins).toBe(1);
});

it('a shared session needs a Redis', async () => {
  const configRef = stack.configure({ sessionStore: 'redis' });

  await expect(readMdmConfig(configRef, 'mdm')).rejects.toMatchObject({
    type: 'CONNECTOR:CONFIGURATION',
    faults: [{ pointer: '/redis', message: 'is required' }],
  });
});
