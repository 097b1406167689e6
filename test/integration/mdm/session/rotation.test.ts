import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { handler as consume } from '#functions/consumer/consumer/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { forgetConfig, rereadConfig } from '#lib/config/config.ts';
import { readMdmConfig } from '#lib/mdm/session/mdm-config.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());
afterAll(() => stack.secrets.failWith(undefined));

async function tenant() {
  const mdm = await use(startSandboxMdm());
  const record = { name: 'Bonn', country: { Code: 'DE' } };
  mdm.records.submit({ entity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1', record });
  const rest = { redis: { url: redis.url } };
  const configRef = stack.configure(mdm.secret, rest);
  const setPassword = (password: string) =>
    stack.secrets.set(`test/${configRef}`, { mdm: { ...mdm.secret, auth: { ...mdm.secret.auth, password } }, ...rest });
  const call = { configRef, businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1' };
  const logins = () => mdm.requests.filter(({ url }) => url.startsWith('/saas')).length;
  return {
    mdm,
    configRef,
    setPassword,
    logins,
    read: () => invokeSource(masterRead, call),
    problem: () => problemOf(masterRead, call),
  };
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a password that is rotated', () => {
  it('a password rotated during a run of the consumer costs one refused login, not one per entry', async () => {
    const { mdm, configRef, setPassword } = await tenant();
    const stream = `rotation:${configRef}`;
    for (let entry = 0; entry < 100; entry++) {
      const record = JSON.stringify({ name: `City ${entry}`, country: { Code: 'DE' } });
      const fields = ['businessEntity', 'c360.city', 'sourceSystem', 'crm', 'sourcePKey', `k-${entry}`];
      await redis.command('XADD', stream, '*', ...fields, 'record', record);
    }
    mdm.misbehave({ path: '/business-entity', skip: 20, status: 401, expireSession: true });
    const rotate = setInterval(() => {
      if (mdm.records.allSources('c360.city').length < 10) return;
      mdm.sessions.password = 'rotated';
      setPassword('rotated');
      clearInterval(rotate);
    }, 1);

    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true); // the metrics of the run
    const { processed } = await invokeSource<{ processed: number }>(consume, { configRef, stream, group: 'mdm' });
    write.mockRestore();
    clearInterval(rotate);

    expect(processed).toBe(100);
    expect(mdm.sessions.refusedLogins).toBeLessThanOrEqual(2);
    expect(mdm.logins).toBeLessThanOrEqual(3);
  });

  it('a password rotated within an invocation serves its next call', async () => {
    const { mdm, setPassword, read } = await tenant();
    await read();
    mdm.sessions.password = 'rotated';
    setPassword('rotated');

    for (let round = 0; round < 5; round++) {
      mdm.sessions.expireAll();
      await read();
    }

    expect(mdm.sessions.refusedLogins).toBe(1);
  });

  it('a password rotated in the secret alone leaves a living session in use', async () => {
    const { mdm, configRef, setPassword, read } = await tenant();
    await read();
    setPassword('not yet known to the service');
    forgetConfig(configRef);

    await read();

    expect([mdm.logins, mdm.sessions.refusedLogins]).toEqual([1, 0]);
  });
});

describe('a wrong password', () => {
  it('a wrong password is replaced as soon as the secret is repaired, even during a pause', async () => {
    const { mdm, setPassword, read, problem } = await tenant();
    setPassword('wrong');
    await problem();
    setPassword('sandbox-password');

    expect((await read()).attributes.statusCode).toBe(200);
    expect(mdm.sessions.refusedLogins).toBe(1);
  });

  it("a wrong password's repair is noticed within a second or two, even after many calls", async () => {
    const { mdm, setPassword, read, problem } = await tenant();
    setPassword('wrong');
    for (let call = 0; call < 10; call++) await problem();
    const readsBefore = stack.secrets.reads;
    setPassword('sandbox-password');
    await wait(1_100);

    expect((await read()).attributes.statusCode).toBe(200);
    expect(stack.secrets.reads - readsBefore).toBeLessThanOrEqual(2);
    expect(mdm.sessions.refusedLogins).toBe(1);
  });

  it('two wrong passwords are refused once each, however many calls follow', async () => {
    const { mdm, configRef, setPassword, problem } = await tenant();
    setPassword('wrong');
    await readMdmConfig(configRef, 'mdm'); // this container has it
    setPassword('wrong too');

    for (let call = 0; call < 5; call++) await problem();

    expect(mdm.sessions.refusedLogins).toBe(2);
  });

  it('a wrong password does not cause a read of the secret for every call', async () => {
    const { setPassword, problem } = await tenant();
    setPassword('wrong');
    await problem();
    const readsBefore = stack.secrets.reads;
    const startedAt = performance.now();

    await Promise.all(Array.from({ length: 50 }, problem));
    for (let call = 0; call < 10; call++) await problem();

    expect(stack.secrets.reads - readsBefore).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 1000);
  });

  it('a wrong password is tried again after a pause that doubles, so that it locks no account', async () => {
    const { mdm, setPassword, problem } = await tenant();
    setPassword('wrong');
    const realNow = Date.now;
    const refused: number[] = [];

    for (const seconds of [0, 2, 6, 13, 17, 33, 38]) {
      Date.now = () => realNow() + seconds * 1000;
      await problem().finally(() => (Date.now = realNow));
      refused.push(mdm.sessions.refusedLogins);
    }

    expect(refused).toEqual([1, 1, 2, 2, 3, 3, 4]);
  });

  it.each(['InternalServiceError', 'AccessDeniedException'])(
    'a wrong password is not tried again because Secrets Manager fails with %s',
    async (errorType) => {
      const { mdm, setPassword, problem } = await tenant();
      setPassword('wrong');
      await problem();
      stack.secrets.failWith(errorType);
      for (let call = 0; call < 5; call++) await problem();
      stack.secrets.failWith(undefined);
      await wait(1_100); // the secret is looked at again

      expect(await problem()).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 502 });
      expect(mdm.sessions.refusedLogins).toBe(1);
    },
    20_000,
  );
});

it('a broken Secrets Manager stops no container that has read its secret', async () => {
  const { mdm, configRef, read } = await tenant();
  await read();
  stack.secrets.failWith('InternalServiceError');

  const reread = await rereadConfig(configRef, 'mdm');
  const response = await read();
  stack.secrets.failWith(undefined);

  expect(reread.mdm?.baseUrl).toBe(mdm.url);
  expect(response.attributes.statusCode).toBe(200);
});
