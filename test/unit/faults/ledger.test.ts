import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { worldOf } from '../../faults/draw-world.ts';
import { Ledger, type Fate, type Report, type Snapshot } from '../../faults/ledger.ts';
import { PLANTED } from '../../faults/planted.ts';

const FATES: readonly Fate[] = ['whole', 'whole', 'refused'];
const LETTER = { n: 2, sourceId: '3-0', errorType: 'MDM:CLIENT_ERROR', ageMs: 1000 };
const END: Snapshot = { stream: 's', lastDeliveredId: '3-0', pending: [], unread: 0, letters: [LETTER] };
const REPORT: Report = {
  stoppedBecause: 'drained',
  read: 3,
  processed: 2,
  failed: 0,
  deadLettered: 1,
  recovered: 0,
  deleted: 0,
};

/** A ledger of three entries of a key, the last of which the target refuses. */
function ledgerOf(...taken: number[]): Ledger {
  const ledger = new Ledger({ consumer: { maxDeliveries: 2 } }, {});
  for (const [n, fate] of FATES.entries()) ledger.expect({ n, stream: 's', id: `${n + 1}-0`, key: 'a', fate });
  for (const n of taken) ledger.take(n);
  ledger.fail(2, 'refused');
  return ledger;
}

describe('the ledger', () => {
  it('the ledger reports no fault of a flawless run', () => {
    const ledger = ledgerOf(0, 1);

    ledger.checkEnd([END]);
    ledger.checkReports([REPORT], [END]);

    expect(ledger.faults).toEqual([]);
  });

  it.each([
    ['an entry that never arrived', ledgerOf(0), END, /1 .* is lost/],
    ['a refused entry that is no dead letter', ledgerOf(0, 1), { ...END, letters: [] }, /2 .* is lost/],
    ['a second dead letter', ledgerOf(0, 1), { ...END, letters: [LETTER, LETTER] }, /is 2 dead letters/],
    [
      'a dead letter that the target did not refuse',
      ledgerOf(0, 1),
      { ...END, letters: [LETTER, { ...LETTER, n: 1, sourceId: '2-0' }] },
      /1 \(a\) is a dead letter as MDM:CLIENT_ERROR, after 1000 ms, and the target says: 0 own failures of 2/,
    ],
    [
      'a crash that no kill explains',
      ledgerOf(0, 1),
      { ...END, letters: [{ ...LETTER, errorType: 'CONNECTOR:CRASH' }] },
      /2 \(a\) is a dead letter as CONNECTOR:CRASH, .* 0 kills/,
    ],
    ['an old entry after a newer one', ledgerOf(0, 1, 0), END, /a went back 1 times: 1 \(2-0\) 0 \(1-0\)/],
  ])('the ledger reports %s', (_, ledger, end, fault) => {
    ledger.checkEnd([end]);

    expect(ledger.faults).toEqual([expect.stringMatching(fault)]);
  });

  it.each([
    ['accepts the dead letter of an old entry that failed once', { maxAgeMs: 1000 }, 'other', 0],
    ['reports it when it is not that old', { maxAgeMs: 3000 }, 'other', 1],
    ['reports it without a maximum age', {}, 'other', 1],
    ['reports it when only a batch failed', { maxAgeMs: 1000 }, 'batch', 1],
  ] as const)('the ledger %s', (_, settings, kind, faults) => {
    const ledger = new Ledger({ consumer: { maxDeliveries: 2, ...settings } }, {});
    ledger.expect({ n: 2, stream: 's', id: '3-0', key: 'a', fate: 'whole' });
    ledger.fail(2, kind);

    ledger.checkEnd([END]);

    expect(ledger.faults).toHaveLength(faults);
  });

  it('the ledger reports an entry acknowledged before its target had it', () => {
    const ledger = ledgerOf(0);

    ledger.checkAcknowledged([{ ...END, lastDeliveredId: '2-0', letters: [] }]);

    expect(ledger.faults).toEqual([expect.stringContaining('1 (a, s 2-0) was acknowledged before')]);
  });

  it('the ledger reports an entry that a recreated group was given but did not deliver', () => {
    const ledger = ledgerOf(0, 1);

    ledger.startAgain('s', ['2-0', '3-0'], performance.now() + 1);
    ledger.checkEnd([END]);

    expect(ledger.faults).toEqual([expect.stringMatching(/^1 .* was given to its group anew, and is lost$/)]);
  });

  it.each([
    ['a failure that was none', { failed: 2 }, /2 are counted as failed, and the target failed 1/],
    ['a deletion that was none', { deleted: 1, processed: 1 }, /1 are counted as deleted, and 0 were/],
    ['sums that do not add up', { processed: 4 }, /3 are counted as read, and 5 as left/],
  ])('the ledger reports %s in reports', (_, wrong, fault) => {
    const ledger = ledgerOf(0, 1);

    ledger.checkReports([{ ...REPORT, ...wrong }], [END]);

    expect(ledger.faults).toEqual([expect.stringMatching(fault)]);
  });

  it('the ledger reports a duplicate without a cause', () => {
    const ledger = ledgerOf(0, 0, 1);

    ledger.checkReports([REPORT], [END]);

    expect(ledger.faults).toEqual(['1 were done twice']);
  });
});

it('a seed always draws the same world', () => {
  expect(worldOf(17)).toEqual(worldOf(17));
  expect(worldOf(17)).not.toEqual({ ...worldOf(18), seed: 17 });
});

it.each(PLANTED.map(({ what, file, find }) => [what, file, find]))(
  'a planted fault still applies to the source: %s',
  (_what, file, find) => {
    expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
  },
);
