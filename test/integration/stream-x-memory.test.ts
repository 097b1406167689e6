import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { startFixture, type Fixture } from '../support/stream-fixture.ts';

const FILL = `for at = 1, ARGV[1] do redis.call('XADD', KEYS[1], ARGV[3] .. at .. '-0', 'value', string.rep('x', ARGV[2])) end`;

let fixture: Fixture;
beforeAll(async () => (fixture = await startFixture({ ownRedis: true })));
afterAll(() => fixture.stop());

const fill = (key: string, entries: number, characters: number, prefix = '') =>
  fixture.redis('EVAL', FILL, '1', key, String(entries), String(characters), prefix);
const peakMb = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${fixture.lambda.pid}/status`, 'utf8'))![1]) / 1024;

it('reads take less than 300 MB of memory in all, however large the stream is, and however its entries differ', async () => {
  const [large, steep] = [fixture.key(), fixture.key()];
  await fill(large, 5000, 40_000);
  await fill(steep, 5000, 10);
  await fill(steep, 30, 3_000_000, '1000');

  for (const key of [large, steep]) {
    await fixture.redis('XGROUP', 'CREATE', key, 'g', '0');
    const streamWatermarks = [{ key, id: '0' }];
    const member = { group: 'g', consumer: 'c', streamWatermarks: [{ key, id: '>' }] };

    expect((await fixture.call('HTTP', 'xrange', { key, start: '-', end: '+' })).status).toBe(413);
    expect((await fixture.call('HTTP', 'xread', { streamWatermarks })).status).toBe(413);
    expect((await fixture.call('HTTP', 'xreadgroup', member)).status).toBe(200);
    expect((await fixture.call('direct invocation', 'xreadgroup', member)).error).toBeUndefined();
  }

  expect(peakMb()).toBeLessThan(300);
});
