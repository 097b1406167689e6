import { getEventListeners } from 'node:events';
import { expect, it } from '@jest/globals';
import { follow } from '#lib/core/abort.ts';

const controllers = (count: number) => Array.from({ length: count }, () => new AbortController());

it('aborts all that follow a signal, for its reason, and none that was released', () => {
  const caller = new AbortController();
  const [first, second, released] = controllers(3);
  for (const controller of [first!, second!]) follow(caller.signal, controller);
  follow(caller.signal, released!)();

  caller.abort('too late');

  expect([first, second, released].map((controller) => controller!.signal.reason as unknown)).toEqual([
    'too late',
    'too late',
    undefined,
  ]);
});

it('aborts what follows a signal that is aborted', () => {
  const controller = new AbortController();

  follow(AbortSignal.abort('gone'), controller);

  expect(controller.signal.reason).toBe('gone');
});

it('leaves no listener once it is released', () => {
  const { signal } = new AbortController();

  for (const controller of controllers(100)) follow(signal, controller)();

  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('does not abort the signal that is followed', () => {
  const caller = new AbortController();
  const [ended, other] = controllers(2);
  for (const controller of [ended!, other!]) follow(caller.signal, controller);

  ended!.abort();

  expect([caller.signal.aborted, other!.signal.aborted]).toEqual([false, false]);
});
