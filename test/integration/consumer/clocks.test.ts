import { afterEach, expect, it, jest } from '@jest/globals';
import { handler as check } from '#functions/consumer/check/handler.ts';
import { handler as pause } from '#functions/consumer/pause/handler.ts';
import { handler as redrive } from '#functions/consumer/redrive/handler.ts';
import { handler as status } from '#functions/consumer/status/handler.ts';
import { handler as consumer } from '#functions/consumer/consumer/handler.ts';
import type { CheckReport } from '#lib/contract/parameters/check.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { invokeSource } from '../../support/aws/source-handler.ts';
import { use } from '../../support/jest/use.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { until } from '../../support/until.ts';

/* A function whose clock is wrong: ages and due times are measured by the clock of Redis. */

const HOUR = 3_600_000;
const stack = await use(startMdmStack());
process.env.LOG_LEVEL = 'warn';
const redis = await use(startRedisServer());
stack.secrets.set('test/default', { mdm: stack.mdm.secret, redis: { url: redis.url }, ingest: { wake: false } });
afterEach(() => {
  jest.restoreAllMocks();
  stack.mdm.behave();
});

const setClock = (aheadMs: number) => {
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
};

/** An entry of this age, in milliseconds; a fresh one has an id of the server's. */
async function add(stream: string, ageMs?: number): Promise<void> {
  const id = ageMs === undefined ? '*' : `${Date.now() - ageMs}-0`;
  const key = ['businessEntity', 'c360.city', 'sourceSystem', 'geonames', 'sourcePKey', stream];
  await redis.command('XADD', stream, id, ...key, 'record', '{"name":"Bonn","country":{"Code":"DE"}}');
}
const statusOf = (stream: string) =>
  invokeSource<{ oldestUnreadMs: number; clockAheadMs: number | null }[]>(status, { stream, group: 'g' });
const run = (stream: string, more: object = {}) =>
  invokeSource<Record<string, unknown>>(consumer, { stream, group: 'g', ...more }, { timeoutMs: 60_000 });

it.each([HOUR, -HOUR])(
  'a run whose clock is %d ms ahead does not dead-letter a fresh entry as too old',
  async (aheadMs) => {
    const stream = `young${aheadMs}`;
    await add(stream);
    stack.mdm.misbehave({ path: '/business-entity', status: 503, times: 2 });
    setClock(aheadMs);

    const report = await run(stream, { maxAgeMs: 60_000, backoffMs: 1 });

    expect(report).toMatchObject({ processed: 1, deadLettered: 0 });
  },
);

it.each([HOUR, -HOUR])(
  'an entry that is too old is dead-lettered by a run whose clock is %d ms ahead',
  async (aheadMs) => {
    const stream = `old${aheadMs}`;
    const fields = [
      'businessEntity',
      'c360.city',
      'sourceSystem',
      's',
      'sourcePKey',
      stream,
      'record',
      '{"name":"Bonn"}',
    ];
    await redis.command('XADD', stream, `${Date.now() - 600_000}-0`, ...fields);
    stack.mdm.misbehave({ path: '/business-entity', status: 503, times: 1 });
    setClock(aheadMs);

    expect(await run(stream, { maxAgeMs: 60_000 })).toMatchObject({ processed: 0, deadLettered: 1 });
    const letters = await redis.command('XRANGE', `{${stream}}:dead:g`, '-', '+');
    expect(JSON.stringify(letters)).toMatch(/"dl-reason","Too old: .* answered 503/);
  },
);

it.each([HOUR, -HOUR])('the status shows correct ages when the clock is %d ms ahead', async (aheadMs) => {
  const stream = `ages${aheadMs}`;
  await add(stream, 600_000);
  setClock(aheadMs);

  const [row] = await statusOf(stream);

  expect(row!.oldestUnreadMs).toBeGreaterThanOrEqual(600_000);
  expect(row!.oldestUnreadMs).toBeLessThan(660_000);
});

it.each([
  [HOUR, 'ahead of'],
  [-HOUR, 'behind'],
])('stream-check warns that the clock is %d ms ahead', async (aheadMs, direction) => {
  setClock(aheadMs);

  const { checks } = await invokeSource<CheckReport>(check, {});

  expect(checks.find(({ name }) => name === 'clock')).toMatchObject({
    status: 'warning',
    detail: `This machine's clock is 3600 s ${direction} that of Redis`,
  });
});

it.each([HOUR, -HOUR])('the status says that the clock is %d ms ahead', async (aheadMs) => {
  const [agreed] = await statusOf('clocks');
  setClock(aheadMs);
  const [row] = await statusOf('clocks');

  expect(agreed!.clockAheadMs).toBeNull();
  expect(Math.round(row!.clockAheadMs! / 1000)).toBe(aheadMs / 1000);
});

it.each([HOUR, -HOUR])("a pause ends by the clock of Redis when the function's is %d ms ahead", async (aheadMs) => {
  const stream = `paused${aheadMs}`;
  const now = Date.now();
  setClock(aheadMs);

  const { pausedUntil } = await invokeSource<{ pausedUntil: string }>(pause, { stream, group: 'g', forMs: 60_000 });

  const forMs = Date.parse(pausedUntil) - now;
  expect(forMs).toBeGreaterThanOrEqual(59_000);
  expect(forMs).toBeLessThan(120_000);
});

it.each([HOUR, -HOUR])("olderThanMs follows the clock of Redis when the function's is %d ms ahead", async (aheadMs) => {
  const stream = `letters${aheadMs}`;
  await add(stream);
  stack.mdm.misbehave({ path: '/business-entity', status: 400, times: 1 });
  expect(await run(stream)).toMatchObject({ deadLettered: 1 });
  setClock(aheadMs);
  const listOlderThan = (olderThanMs: number) =>
    invokeSource<{ entries: unknown[] }>(redrive, { stream, group: 'g', dryRun: true, olderThanMs });

  expect((await listOlderThan(600_000)).entries).toHaveLength(0);
  // a function knows the clock of Redis to within a round trip
  await until(async () => (await listOlderThan(0)).entries.length === 1);
});

it('a run logs one warning if the clocks differ by more than 5 s', async () => {
  const written: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  await add('warned');
  setClock(HOUR);

  await run('warned');

  const warnings = written.filter((line) => line.includes('clocks of this function and of Redis differ'));
  expect(warnings).toHaveLength(1);
  expect(JSON.parse(warnings[0]!)).toMatchObject({ level: 'warn', aheadMs: expect.any(Number) });
});
