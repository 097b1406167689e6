import { execFile } from 'node:child_process';
import { once, EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { Timeouts } from '../../../lib/redis/timeouts.ts';

/** The moment so many milliseconds from now. */
const after = (ms: number) => performance.now() + ms;

it('calls back each timeout once, and none before its time, whatever their order', async () => {
  const timeouts = new Timeouts();
  const startedAt = performance.now();
  const fired: { ms: number; at: number }[] = [];
  for (const ms of [60, 20, 40, 20]) {
    timeouts.add(after(ms), () => fired.push({ ms, at: performance.now() - startedAt }));
  }
  await sleep(200);

  expect(fired.map(({ ms }) => ms).sort()).toEqual([20, 20, 40, 60]);
  for (const { ms, at } of fired) expect(at).toBeGreaterThanOrEqual(ms);
});

it('calls back none that was cleared, and still those that come after it', async () => {
  const timeouts = new Timeouts();
  const events = new EventEmitter();
  const fired: string[] = [];
  timeouts.clear(timeouts.add(after(10), () => fired.push('cleared')));
  const later = once(events, 'later');
  timeouts.add(after(50), () => events.emit('later', fired.push('later')));
  await Promise.all([later, sleep(100)]);

  expect(fired).toEqual(['later']);
});

it('takes timeouts that a callback adds', async () => {
  const timeouts = new Timeouts();
  const events = new EventEmitter();
  const second = once(events, 'second');
  timeouts.add(after(10), () => timeouts.add(after(10), () => events.emit('second')));
  const keptAlive = setInterval(() => {}, 1000); // the timer of the timeouts keeps nothing alive

  await second;
  clearInterval(keptAlive);
});

it('calls back at once for a time that passed while the process was stopped, and Node does not warn', async () => {
  const code = `
    import { Timeouts } from './lib/redis/timeouts.ts';
    const keptAlive = setInterval(() => {}, 1000);
    new Timeouts().add(performance.now() - 20, () => clearInterval(keptAlive));`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', code];

  expect(await promisify(execFile)(process.execPath, args)).toEqual({ stdout: '', stderr: '' });
});
