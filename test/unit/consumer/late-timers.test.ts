import { stat } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { systemClock } from '#lib/consumer/clock.ts';
import { consume } from '#lib/consumer/consume.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import { createLog } from '#lib/core/log.ts';
import { MemoryGroup, MemoryStream } from '../../support/consumer/memory-group.ts';
import { SETTINGS } from '../../support/consumer/memory-shard.ts';
import { VirtualTime } from '../../support/consumer/virtual-time.ts';

/** When a run of ten seconds gives its attempts up: a tenth of its time is kept for their results. */
const GIVEN_UP_AT_MS = 9_000;
const LATE_MS = 300;
const LEASE_MS = 20_000;

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
      settings: { ...SETTINGS, leaseMs: LEASE_MS, budgetMs: 10_000, maxAgeMs: 1_000 },
      log: createLog('error', {}, () => {}),
      clock: { ...clock, timer },
    }),
  );

  expect(report).toMatchObject({ read: 1, deadLettered: 0, failed: 1, pending: 1, stoppedBecause: 'deadline' });
});

it('a process that is starved past its deadline first takes the responses that have arrived', async () => {
  let starvedMs = 0;
  const clock = { ...systemClock, now: () => performance.now() + starvedMs };
  const stream = new MemoryStream();
  for (const name of ['a', 'b', 'c', 'd']) stream.add(0, 'key', name);
  let calls = 0;
  /** Responses arrive while the process stands still. */
  const process = async () => {
    const response = stat('.');
    if (++calls === 4) {
      const until = performance.now() + 100;
      while (performance.now() < until);
      starvedMs = GIVEN_UP_AT_MS;
    }
    await response;
  };
  const group = new MemoryGroup(stream, clock, LEASE_MS, async (work) => work());

  const { report } = await consume({
    shards: [{ stream: 'worlds', group }],
    target: { keyFields: ['key'], process },
    settings: { ...SETTINGS, leaseMs: LEASE_MS, budgetMs: 10_000 },
    log: createLog('error', {}, () => {}),
    clock,
  });

  expect(report).toMatchObject({ read: 4, processed: 4, failed: 0, pending: 0 });
});
