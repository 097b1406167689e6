import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { startPromptStack } from '../../support/consumer/prompt-stack.ts';
import { use } from '../../support/jest/use.ts';

const stack = await use(startPromptStack());
await stack.enqueue('warm-up');
await stack.whenReceived(1, 10_000);

it.each([
  [1, 4],
  [10, 20],
  [100, 200],
])('the consumer promptly carries %d records a second to the MDM without a schedule', async (perSecond, count) => {
  const ms = await stack.latencies(perSecond, count);

  const [p50, p99] = [0.5, 0.99].map((share) => ms[Math.ceil(share * ms.length) - 1]!);
  if (process.env.SHOW_FIGURES) console.log(`${perSecond}/s: p50 ${p50!.toFixed(1)} ms, p99 ${p99!.toFixed(1)} ms`);
  expect(p50).toBeLessThan(2000); // on a quiet machine below 50 and 500; a loaded one must not fail it
  expect(p99).toBeLessThan(10_000);
});

it('an enqueue right after a drained run wakes the consumer again', async () => {
  const before = stack.received.size;
  for (let index = 0; index < 8; index++) {
    while (stack.active() > 0) await sleep(2);
    await stack.enqueue(`again-${index}`);
    await stack.whenReceived(before + index + 1, 10_000);
  }

  expect(stack.runs.every(({ stoppedBecause }) => ['drained', 'lease-held'].includes(stoppedBecause))).toBe(true);
});
