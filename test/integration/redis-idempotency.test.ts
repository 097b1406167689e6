import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startFaultFixture, type FaultFixture } from '../support/fault-fixture.ts';

const CUTS = 1000;

let fixture: FaultFixture;
beforeAll(async () => (fixture = await startFaultFixture()));
afterAll(async () => {
  await fixture.clear();
  await fixture.stop();
});

it('a call with an idempotency, made again after each lost reply, adds its entry once (Redis 8.6)', async () => {
  const server = await fixture.redisServer();
  const proxy = await fixture.proxyTo(server);
  fixture.use(`redis://127.0.0.1:${proxy.port}`);
  const add = (id: number) =>
    fixture.call('xadd', { entry: { n: String(id) }, idempotency: { producer: 'test', id: String(id) } });
  if ((await add(0)).status === 422) return expect(await server.command('XLEN', 's')).toBe(0); // an older server

  for (let id = 1; id <= CUTS; id++) {
    proxy.cutReply();
    expect((await add(id)).status).toBe(503);
    expect((await add(id)).status).toBe(200);
  }

  const entries = (await server.command('XRANGE', 's', '-', '+')) as [string, [string, string]][];
  expect(entries.map(([, [, n]]) => Number(n))).toEqual(Array.from({ length: CUTS + 1 }, (_, id) => id));
}, 120_000);
