import { describe, expect, it } from '@jest/globals';
import { RateLimiter } from '#lib/consumer/dispatch/rate-limiter.ts';

/** A limiter that has reserved as many calls as it asked for, from this time on. */
function open(perSecond: number, now = 0) {
  const limiter = new RateLimiter(perSecond);
  limiter.reserved({ calls: limiter.toReserve(500, now), afterMs: 0 }, now);
  return limiter;
}

describe('reserved calls', () => {
  it('reserved calls start one by one at the rate, from their reserved time on', () => {
    const limiter = new RateLimiter(20);
    expect([limiter.mayStart(0), limiter.nextAt]).toEqual([false, Infinity]);
    limiter.toReserve(2, 1000);
    limiter.reserved({ calls: 2, afterMs: 500 }, 1000);

    expect([limiter.mayStart(1499), limiter.mayStart(1500), limiter.nextAt]).toEqual([false, true, 1500]);
    limiter.use();
    expect([limiter.mayStart(1549), limiter.mayStart(1550), limiter.nextAt]).toEqual([false, true, 1550]);
    limiter.use();
    expect([limiter.mayStart(1600), limiter.nextAt]).toEqual([false, Infinity]);
  });

  it('reserved calls that were held back are lost instead of following in a burst', () => {
    const limiter = open(500, 1000);

    let started = 0;
    for (; limiter.mayStart(1150); started++) limiter.use();

    expect(started).toBe(25); // of the first 150 ms, those of the last 100 that were reserved
  });

  it('reserved calls are lost once they are more than 100 ms late, and reserved again', () => {
    const limiter = open(10);

    expect([limiter.mayStart(100), limiter.mayStart(101)]).toEqual([true, false]);
    expect(open(100).toReserve(50, 1000)).toBe(10);
  });
});

describe('a reservation', () => {
  it('a reservation covers a tenth of a second of what can be used, and at least one call', () => {
    const asked = [1000, 19, 1].map((perSecond) => new RateLimiter(perSecond).toReserve(500, 0));

    expect(asked).toEqual([100, 1, 1]);
    expect(new RateLimiter(1000).toReserve(7, 0)).toBe(7);
  });

  it('a reservation waits until the previous one has ended, successful or not', () => {
    const limiter = new RateLimiter(100);
    expect([limiter.toReserve(50, 0), limiter.toReserve(50, 0)]).toEqual([10, 0]);
    limiter.reserved(undefined, 0);

    expect([limiter.mayStart(0), limiter.toReserve(50, 0)]).toEqual([false, 10]);
  });

  it('more calls are reserved once half of them have started', () => {
    const limiter = open(100);
    for (let started = 0; started < 4; started++) limiter.use();
    expect(limiter.toReserve(50, 0)).toBe(0);
    limiter.use();
    expect(limiter.toReserve(50, 0)).toBe(5);
    limiter.reserved({ calls: 5, afterMs: 100 }, 0);

    expect(limiter.toReserve(50, 0)).toBe(0);
  });
});
