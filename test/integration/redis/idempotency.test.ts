import { afterAll, expect, it } from '@jest/globals';
import { startFaultFixture } from '../../support/mdm/fault-fixture.ts';
import { use } from '../../support/jest/use.ts';

const CUTS = 1000;

const fixture = await use(startFaultFixture());
afterAll(() => fixture.clear());

it('an idempotent call repeated after each lost reply adds its entry once (Redis 8.6)', async () => {
  const server = await fixture.redisServer();
  const proxy = await fixture.proxyTo(server);
  fixture.use(`redis://127.0.0.1:${proxy.port}`);
  const add = (id: number) =>
    fixture.call('xadd', { entry: { n: String(id) }, idempotency: { producer: 'test', id: String(id) } });
  if ((await add(0)).status === 422) return expect(await server.command('XLEN', 's')).toBe(0); // an older server

  for (let id = 1; id <= CUTS; id++) {
    proxy.cutReply(); // the last call left a working connection, so this is the reply of the XADD
    expect((await add(id)).status).toBeGreaterThanOrEqual(503);
    let { status } = await add(id);
    for (let again = 0; status !== 200 && again < 5; again++) ({ status } = await add(id)); // a machine that is slow
    expect(status).toBe(200);
  }

  const entries = (await server.command('XRANGE', 's', '-', '+')) as [string, [string, string]][];
  expect(entries.map(([, [, n]]) => Number(n))).toEqual(Array.from({ length: CUTS + 1 }, (_, id) => id));
}, 120_000);
