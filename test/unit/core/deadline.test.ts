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

  it('never gives less than 1 ms, which would mean for ever', () => {
    const passed = Deadline.after(-5);

    expect(passed.remainingMs()).toBe(0);
    expect(passed.within(1000)).toBe(1);
  });

  it('bounds a wish by what is left', () => {
    expect(Deadline.after(10_000).within(500)).toBe(500);
    expect(Deadline.after(100).within(500)).toBeLessThanOrEqual(100);
  });
});
