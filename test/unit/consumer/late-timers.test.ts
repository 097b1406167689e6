import { expect, it } from '@jest/globals';
import { consume } from '#lib/consumer/consume.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import { createLog } from '#lib/core/log.ts';
import { MemoryGroup, MemoryStream } from '../../support/consumer/memory-group.ts';
import { SETTINGS } from '../../support/consumer/memory-shard.ts';
import { VirtualTime } from '../../support/consumer/virtual-time.ts';

/** When a run of ten seconds gives its attempts up: a tenth of its time is kept for their results. */
const GIVEN_UP_AT_MS = 9_000;
const LATE_MS = 300;

it('a process that hears of its deadline late takes a time-out for its own, and buries no old entry', async () => {
  const time = new VirtualTime();
  const clock = time.clock();
  const timer = (ms: number, callback: () => void) => clock.timer(ms + LATE_MS, callback);
  const stream = new MemoryStream();
  stream.add(0, 'key', 'A');
  const process = async () => {
    await time.sleep(GIVEN_UP_AT_MS + LATE_MS / 2 - time.now);
    throw new ConnectorError('MDM:TIMEOUT', 'The master data API did not answer in time');
  };
  const group = new MemoryGroup(stream, clock, SETTINGS.leaseMs, async (work) => work());

  const { report } = await time.until(
    consume({
      shards: [{ stream: 'worlds', group }],
      target: { keyFields: ['key'], process },
      settings: { ...SETTINGS, leaseMs: 20_000, budgetMs: 10_000, maxAgeMs: 1_000 },
      log: createLog('error', {}, () => {}),
      clock: { ...clock, timer },
    }),
  );

  expect(report).toMatchObject({ read: 1, deadLettered: 0, failed: 1, pending: 1, stoppedBecause: 'deadline' });
});
