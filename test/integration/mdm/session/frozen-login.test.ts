import { expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { type InvocationFailure, type Lambda } from '#sandbox/aws/lambda.ts';
import { startSandboxMdm, type SandboxMdm } from '#sandbox/mdm/index.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { until } from '#test/support/until.ts';
import { use } from '#test/support/jest/use.ts';
import { startContainer } from '#test/support/aws/container.ts';

/*
 * Containers are frozen between invocations, with their timers and sockets, and a login may be under way: here whole
 * processes are stopped in the middle of one, and go on later.
 */

const KEY = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1' };
const LOGIN_MS = 600;
const FROZEN_MS = 2_500;

let mdm: SandboxMdm;
let containers: Lambda[];

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());

async function start(config: object): Promise<void> {
  mdm = await startSandboxMdm();
  mdm.records.submit({
    entity: 'c360.city',
    sourceSystem: 'geonames',
    sourcePKey: '1',
    record: { name: 'Bonn', country: { Code: 'DE' } },
  });
  stack.secrets.set('test/default', { mdm: { ...mdm.secret, ...config }, redis: { url: redis.url } });
  containers = await Promise.all([startContainer(stack.secrets), startContainer(stack.secrets)]);
}

/** Status of the API, or the error's type. */
const read = (container: Lambda, timeoutMs?: number) =>
  container.invoke('mdm-master-read', KEY, { timeoutMs }).then(
    ({ attributes }: { attributes: { statusCode: number } }) => attributes.statusCode,
    ({ errorType }: InvocationFailure) => errorType,
  );

it.each([
  ['a session of its own', {}, 4],
  ['a shared session', { sessionStore: 'redis', sessionKey: 'k'.repeat(32), timeoutMs: 1_000 }, 3],
])(
  'a container frozen during a login, with %s, serves its next call and keeps no other waiting',
  async (_, config, mostLogins) => {
    await start(config);
    const [frozen, other] = containers as [Lambda, Lambda];
    const logins = () => mdm.requests.filter(({ url }) => url.startsWith('/saas')).length;
    mdm.misbehave({ path: '/saas', delayMs: LOGIN_MS });

    await Promise.all(containers.map((one) => one.invoke('mdm-master-read', {}).catch(() => {}))); // loads the function

    const interrupted = read(frozen, FROZEN_MS - 500);
    await until(async () => logins() === 1);
    frozen.kill('SIGSTOP');
    const meanwhile = await read(other);
    await wait(FROZEN_MS);
    mdm.sessions.expireAll(); // the session of the login, if any, is over
    frozen.kill('SIGCONT');

    expect(['MDM:TIMEOUT', 200]).toContain(await interrupted);
    expect(meanwhile).toBe(200);
    expect(await Promise.all([read(frozen), read(frozen), read(other)])).toEqual([200, 200, 200]);
    expect(logins()).toBeLessThanOrEqual(mostLogins);
    expect(mdm.sessions.refusedLogins).toBe(0);
    await Promise.all([...containers.map((container) => container.stop()), mdm.close()]);
  },
  30_000,
);
