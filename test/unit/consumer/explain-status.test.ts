import { expect, it } from '@jest/globals';
import { explainStatus, formatMs } from '#lib/contract/explain-status.ts';

const now = Date.parse('2025-11-20T12:00:00.000Z');
const failure = { type: 'LAMBDA:Unhandled', detail: 'The function failed', target: 'orders', entries: 3 };
const row = {
  lastFailure: { ...failure, at: '2025-11-20T11:59:00.000Z' },
  ...{ oldestPendingMs: 250_000, nextTryAt: '2025-11-20T12:00:12.000Z', restMs: 0 },
  ...{ run: 'idle' as const, pausedUntil: null },
};
const stuck = '3 entries wait, the oldest for 4 min: orders failed (LAMBDA:Unhandled: The function failed).';

it.each([
  ['a try is due later', {}, `${stuck} The next try is due in 12 s.`],
  ['a try is due', { nextTryAt: '2025-11-20T11:59:59.000Z' }, `${stuck} The next run tries again.`],
  ['a run is active', { run: 'active' as const, nextTryAt: null }, `${stuck} The active run tries again.`],
  ['the target rests', { restMs: 90_000 }, `${stuck} The target rests for another 1 min, then a run probes it.`],
  [
    'the group is paused',
    { run: 'paused' as const, pausedUntil: '2025-11-20T13:00:00.000Z' },
    `${stuck} The group is paused until 2025-11-20T13:00:00.000Z.`,
  ],
  [
    'one entry waits',
    { lastFailure: { ...row.lastFailure, entries: 1 }, oldestPendingMs: null },
    '1 entry waits: orders failed (LAMBDA:Unhandled: The function failed). The next try is due in 12 s.',
  ],
])('a shard says what is stuck, why, and what happens next: %s', (_, more, sentence) => {
  expect(explainStatus({ ...row, ...more }, now)).toBe(sentence);
});

it('a shard where nothing failed says nothing', () => {
  expect(explainStatus({ ...row, lastFailure: null }, now)).toBeUndefined();
});

it('durations have the largest unit that fits', () => {
  expect([999, 1000, 59_999, 60_000, 7_200_000, 172_800_000].map(formatMs)).toEqual([
    ...['999 ms', '1 s', '59 s', '1 min', '2 h', '2 d'],
  ]);
});
