import { describe, expect, it } from '@jest/globals';
import { Fairness } from '#lib/consumer/dispatch/fairness.ts';

describe.each(['failing', 'hot'] as const)('restrained heads: %s', (kind) => {
  it('a restrained kind uses a fifth of the slots, but at least one', () => {
    for (const [slots, places] of [
      [10, 2],
      [14, 2],
      [3, 1],
    ] as const) {
      // oxfmt-ignore
      const fairness = new Fairness(slots, 0);
      for (let begun = 0; begun < places; begun++) {
        expect(fairness.mayStart(kind, 0)).toBe(true);
        fairness.began(kind);
      }

      expect(fairness.mayStart(kind, 0)).toBe(false);
    }
  });

  it('a restrained kind pauses until a fifth of the slots has paid off its debt', () => {
    const fairness = new Fairness(10, 0);
    expect(fairness.nextEvent(100_000)).toBe(Infinity); // time without debts is no credit
    fairness.began(kind);
    fairness.ended(kind, 1000, 100_000);

    expect([fairness.mayStart(kind, 100_000), fairness.nextEvent(100_000)]).toEqual([false, 100_500]);
    expect(fairness.nextEvent(100_300)).toBe(100_500);
    expect([fairness.mayStart(kind, 100_499), fairness.mayStart(kind, 100_500)]).toEqual([false, true]);
    expect(fairness.nextEvent(100_500)).toBe(Infinity);
  });

  it('a restrained kind pauses for at most a minute', () => {
    const fairness = new Fairness(10, 0);
    for (let n = 0; n < 2; n++) {
      fairness.began(kind);
      fairness.ended(kind, 1e9, 0);
    }

    expect(fairness.nextEvent(0)).toBe(60_000);
  });
});

it("fresh heads are never held back, and use no other kind's share", () => {
  const fairness = new Fairness(1, 0);
  fairness.began('fresh');
  fairness.ended('fresh', 1e9, 0);

  expect([fairness.mayStart('fresh', 0), fairness.mayStart('failing', 0), fairness.nextEvent(0)]).toEqual([
    true,
    true,
    Infinity,
  ]);
});
