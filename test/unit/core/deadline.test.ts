import { describe, expect, it } from '@jest/globals';
import { Deadline } from '#lib/core/deadline.ts';

describe('Deadline', () => {
  it.each([
    [29_000, 27_000],
    [5_000, 4_000],
    [1_000, 800],
  ])('leaves an invocation of %i ms at most %i ms', (given, left) => {
    const remaining = Deadline.ofInvocation(given).remainingMs();

    expect(remaining).toBeLessThanOrEqual(left);
    expect(remaining).toBeGreaterThan(left - 50);
  });

  it('never returns a timeout below 1 ms, since 0 would mean none', () => {
    const passed = Deadline.after(-5);

    expect(passed.remainingMs()).toBe(0);
    expect(passed.within(1000)).toBe(1);
  });

  it('caps a timeout at the remaining time', () => {
    expect(Deadline.after(10_000).within(500)).toBe(500);
    expect(Deadline.after(100).within(500)).toBeLessThanOrEqual(100);
  });
});
