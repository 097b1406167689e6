import { spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { expect, it } from '@jest/globals';
import { inTime } from '#lib/core/abort.ts';

const LONG_MS = 60_000;
const late = () => new Error('too late');
const never = new Promise<never>(() => {});

/** Runs work for two callers with one signal; returns the signals that the work received. */
function startTwo(signal: AbortSignal) {
  const received: AbortSignal[] = [];
  const run = () =>
    inTime(
      { ms: LONG_MS, signal },
      (own) => {
        received.push(own);
        return never;
      },
      late,
    );
  return { received, results: Promise.allSettled([run(), run()]) };
}

it("the caller's signal aborts all work started with it, with its reason", async () => {
  const caller = new AbortController();
  const { received, results } = startTwo(caller.signal);

  caller.abort('gone');

  expect((await results).map((result) => 'reason' in result && (result.reason as Error).message)).toEqual([
    'too late',
    'too late',
  ]);
  expect(received.map(({ reason }) => reason as unknown)).toEqual(['gone', 'gone']);
});

it('work that starts with an aborted signal ends immediately', async () => {
  const { received, results } = startTwo(AbortSignal.abort('gone'));

  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(received.map(({ reason }) => reason as unknown)).toEqual(['gone', 'gone']);
});

it("inTime does not wait for work that ignores its timeout, and leaves the caller's signal alone", async () => {
  const { signal } = new AbortController();

  await expect(inTime({ ms: 1, signal }, () => never, late)).rejects.toThrow('too late');

  expect(signal.aborted).toBe(false);
});

it('a response that arrived while the process had no core is taken, although its time is over', async () => {
  const peer = spawn('sh', ['-c', 'echo ready; sleep 0.1; echo response']);
  await once(peer.stdout, 'data');
  const response = inTime({ ms: 200 }, () => once(peer.stdout, 'data'), late);

  for (const until = performance.now() + 500; performance.now() < until;);

  expect(String(await response)).toBe('response\n');
});

it('inTime passes on an error of the work unchanged', async () => {
  await expect(inTime({ ms: LONG_MS }, () => Promise.reject(new Error('own')), late)).rejects.toThrow('own');
});

it('inTime leaves no listener once the work has ended', async () => {
  const { signal } = new AbortController();

  for (let calls = 0; calls < 100; calls++) await inTime({ ms: LONG_MS, signal }, () => Promise.resolve(calls), late);

  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
