import { describe, expect, it } from '@jest/globals';
import { Outcomes } from '#lib/consumer/window/outcomes.ts';
import { readNow, type PendingEntry } from '#lib/consumer/window/pending-entry.ts';

const entryOf = (id: string): PendingEntry => readNow({ id, fields: [] }, 1);
const letterOf = (id: string) => ({ sourceId: id, reason: 'bad', errorType: 'X', deliveries: 1, time: 0 });

/** One outcome of each kind. */
const EACH: Record<string, (outcomes: Outcomes) => void> = {
  taken: (outcomes) => outcomes.taken(entryOf('1-0')),
  failed: (outcomes) => outcomes.failed(entryOf('1-0')),
  held: (outcomes) => outcomes.hold([entryOf('1-0')]),
  burials: (outcomes) => outcomes.bury({ pending: entryOf('1-0'), key: 'a', letter: letterOf('1-0') }),
  missing: (outcomes) => outcomes.missing('1-0'),
};

describe('outcomes', () => {
  it.each(Object.keys(EACH))('leave once, whether they are the only ones or not: %s', (kind) => {
    const outcomes = new Outcomes();
    EACH[kind]!(outcomes);
    expect([outcomes.size, outcomes.isEmpty, outcomes.isDue(0, true)]).toEqual([1, false, true]);
    for (const add of Object.values(EACH)) add(outcomes);
    expect(outcomes.size).toBe(6);

    const { taken, failed, held, burials, missing } = outcomes.take();

    const lengths = { taken, failed, held, burials, missing };
    for (const each of Object.keys(EACH))
      expect(lengths[each as keyof typeof lengths]).toHaveLength(each === kind ? 2 : 1);
    expect([outcomes.size, outcomes.isEmpty]).toEqual([0, false]); // they are on their way
    outcomes.isSending = false;
    expect(outcomes.isEmpty).toBe(true);
  });

  it('wait three milliseconds for others, from the first one on, unless something else is sent', () => {
    const outcomes = new Outcomes();
    expect([outcomes.isDue(0, true), outcomes.sendAt]).toEqual([false, Infinity]);
    outcomes.missing('1-0');
    expect([outcomes.isDue(10, false), outcomes.sendAt]).toEqual([false, 13]);
    outcomes.missing('2-0');
    expect([outcomes.isDue(12, false), outcomes.isDue(12, true), outcomes.sendAt]).toEqual([false, true, 13]);
    expect(outcomes.isDue(13, false)).toBe(true);
    outcomes.take();

    expect(outcomes.sendAt).toBe(Infinity);
    outcomes.missing('3-0');
    expect([outcomes.isDue(20, true), outcomes.sendAt]).toEqual([false, 23]); // the last ones are still on their way
    outcomes.isSending = false;
    expect([outcomes.isDue(22, false), outcomes.isDue(23, false)]).toEqual([false, true]);
  });

  it('that may not have arrived leave again before later ones, and a failure once', () => {
    const outcomes = new Outcomes();
    const [first, second, failing] = ['1-0', '2-0', '3-0'].map(entryOf) as [PendingEntry, PendingEntry, PendingEntry];
    outcomes.taken(second);
    outcomes.failed(failing);
    outcomes.missing('9-0');

    outcomes.restore({ taken: [first] });
    outcomes.restore({ failed: [failing, first] });
    outcomes.restore({ missing: ['8-0'] });

    expect(outcomes.take()).toMatchObject({
      taken: [first, second],
      failed: [failing, first],
      missing: ['8-0', '9-0'],
    });
  });
});
