import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Timeouts } from '../../../lib/redis/timeouts.ts';

it('calls back each timeout once, when its time has come, whatever their order', async () => {
  const timeouts = new Timeouts();
  const startedAt = performance.now();
  const fired: [ms: number, after: number][] = [];
  for (const ms of [60, 20, 40, 20]) timeouts.add(ms, () => fired.push([ms, performance.now() - startedAt]));
  await sleep(150);

  expect(fired.map(([ms]) => ms)).toEqual([20, 20, 40, 60]);
  for (const [ms, after] of fired) expect(after).toBeGreaterThanOrEqual(ms);
});

it('calls back none that was cleared, and those that come after it in their own time', async () => {
  const timeouts = new Timeouts();
  const fired: string[] = [];
  timeouts.clear(timeouts.add(20, () => fired.push('cleared')));
  await sleep(10);
  timeouts.add(30, () => fired.push('later'));
  await sleep(15); // the timer of the first fires, and finds none
  expect(fired).toEqual([]);
  await sleep(60);

  expect(fired).toEqual(['later']);
});

it('takes timeouts that a callback adds', async () => {
  const timeouts = new Timeouts();
  const fired: string[] = [];
  timeouts.add(10, () => {
    fired.push('first');
    timeouts.add(10, () => fired.push('second'));
  });
  await sleep(80);

  expect(fired).toEqual(['first', 'second']);
});
