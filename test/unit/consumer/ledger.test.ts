import { describe, expect, it } from '@jest/globals';
import { Ledger } from '../../chaos/ledger.ts';

/** A ledger of three entries of a key, the last one broken. */
function ledgerOf(...taken: number[]): Ledger {
  const ledger = new Ledger();
  for (const seq of [1, 2, 3]) ledger.expect({ stream: 's', id: `${seq}-0`, key: 'a', seq, isBroken: seq === 3 });
  for (const seq of taken) ledger.take('a', seq);
  return ledger;
}

const end = { stream: 's', lastDeliveredId: '3-0', pending: [], deadLetters: ['3-0'] };

describe('the ledger of the chaos tests', () => {
  it('finds nothing where all went well, repetitions included', () => {
    const ledger = ledgerOf(1, 1, 2);

    ledger.checkEnd([end]);

    expect(ledger.faults).toEqual([]);
  });

  it.each([
    ['an entry that never arrived', ledgerOf(1), end, /2-0 .* is lost/],
    ['a broken entry that is no dead letter', ledgerOf(1, 2), { ...end, deadLetters: [] }, /3-0 .* is lost/],
    ['a second dead letter', ledgerOf(1, 2), { ...end, deadLetters: ['3-0', '3-0'] }, /is 2 dead letters/],
    ['a dead letter of a whole entry', ledgerOf(1, 2), { ...end, deadLetters: ['2-0', '3-0'] }, /not broken/],
    ['an old entry after a newer one', ledgerOf(1, 2, 1), end, /a went back 1 times, to 1/],
    ['an entry still pending', ledgerOf(1, 2), { ...end, pending: ['2-0'] }, /2-0 is still pending/],
  ])('finds %s', (_, ledger, snapshot, fault) => {
    ledger.checkEnd([snapshot]);

    expect(ledger.faults).toEqual([expect.stringMatching(fault)]);
  });

  it('finds what was acknowledged before its target had it', () => {
    const ledger = ledgerOf(1);

    ledger.checkAcknowledged([{ stream: 's', lastDeliveredId: '2-0', pending: [], deadLetters: [] }]);

    expect(ledger.faults).toEqual([expect.stringContaining('2-0 (a #2) was acknowledged before')]);
  });
});
