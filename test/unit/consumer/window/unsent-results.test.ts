import { describe, expect, it } from '@jest/globals';
import { UnsentResults } from '#lib/consumer/window/unsent-results.ts';
import { readNow, type PendingEntry } from '#lib/consumer/window/pending-entry.ts';

const entryOf = (id: string): PendingEntry => readNow({ id, fields: [] }, 1);
const letterOf = (id: string) => ({ sourceId: id, reason: 'bad', errorType: 'X', deliveries: 1, time: 0 });

/** One result of each kind. */
const EACH: Record<string, (results: UnsentResults) => void> = {
  processed: (results) => results.processed(entryOf('1-0')),
  failed: (results) => results.failed(entryOf('1-0')),
  unstarted: (results) => results.giveBack([entryOf('1-0')]),
  burials: (results) => results.bury({ pending: entryOf('1-0'), key: 'a', letter: letterOf('1-0') }),
  missing: (results) => results.missing('1-0'),
};

describe('results', () => {
  it.each(Object.keys(EACH))('results are sent once, whether alone or with others: %s', (kind) => {
    const results = new UnsentResults();
    EACH[kind]!(results);
    expect([results.size, results.isEmpty, results.isDue(0, true)]).toEqual([1, false, true]);
    for (const add of Object.values(EACH)) add(results);
    expect(results.size).toBe(6);

    const { processed, failed, unstarted, burials, missing } = results.take();

    const lengths = { processed, failed, unstarted, burials, missing };
    for (const each of Object.keys(EACH))
      expect(lengths[each as keyof typeof lengths]).toHaveLength(each === kind ? 2 : 1);
    expect([results.size, results.isEmpty]).toEqual([0, false]); // they are on their way
    results.isSending = false;
    expect(results.isEmpty).toBe(true);
  });

  it('results wait three milliseconds for others, counted from the first, unless something else is sent', () => {
    const results = new UnsentResults();
    expect([results.isDue(0, true), results.sendAt]).toEqual([false, Infinity]);
    results.missing('1-0');
    expect([results.isDue(10, false), results.sendAt]).toEqual([false, 13]);
    results.missing('2-0');
    expect([results.isDue(12, false), results.isDue(12, true), results.sendAt]).toEqual([false, true, 13]);
    expect(results.isDue(13, false)).toBe(true);
    results.take();

    expect(results.sendAt).toBe(Infinity);
    results.missing('3-0');
    expect([results.isDue(20, true), results.sendAt]).toEqual([false, 23]); // the last ones are still on their way
    results.isSending = false;
    expect([results.isDue(22, false), results.isDue(23, false)]).toEqual([false, true]);
  });

  it('results that may not have arrived are sent again before later ones, and failures only once', () => {
    const results = new UnsentResults();
    const [first, second, failing] = ['1-0', '2-0', '3-0'].map(entryOf) as [PendingEntry, PendingEntry, PendingEntry];
    results.processed(second);
    results.failed(failing);
    results.missing('9-0');

    results.restore({ processed: [first] });
    results.restore({ failed: [failing, first] });
    results.restore({ missing: ['8-0'] });

    expect(results.take()).toMatchObject({
      processed: [first, second],
      failed: [failing, first],
      missing: ['8-0', '9-0'],
    });
  });
});
