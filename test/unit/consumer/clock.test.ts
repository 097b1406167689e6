import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { systemClock } from '#lib/consumer/clock.ts';

it('a reply that arrived while the process was suspended is handled before a due timer', async () => {
  const peer = spawn('sh', ['-c', 'echo ready; sleep 0.1; echo reply']);
  await once(peer.stdout, 'data');
  const seen: string[] = [];
  peer.stdout.once('data', () => seen.push('reply'));
  const { promise, resolve } = Promise.withResolvers<unknown>();
  systemClock.timer(200, () => {
    seen.push('time is over');
    resolve(undefined);
  });

  for (const until = performance.now() + 500; performance.now() < until;); // others have the core
  await promise;

  expect(seen).toEqual(['reply', 'time is over']);
});

it('a cancelled timer never fires, even when it is due', async () => {
  let isCalled = false;
  const cancel = systemClock.timer(1, () => (isCalled = true));
  setTimeout(cancel, 1);

  for (const until = performance.now() + 10; performance.now() < until;); // both are due in the same turn
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(isCalled).toBe(false);
});
