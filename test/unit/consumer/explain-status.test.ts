import { expect, it } from '@jest/globals';
import { explainStatus, formatMs } from '#lib/contract/explain-status.ts';

const now = Date.parse('2025-11-20T12:00:00.000Z');
const failure = { type: 'LAMBDA:Unhandled', detail: 'The function failed', target: 'orders', entries: 3 };
const row = {
  lastFailure: { ...failure, at: '2025-11-20T11:59:00.000Z' },
  oldestPendingMs: 250_000,
  nextTryAt: '2025-11-20T12:00:12.000Z',
  restMs: 0,
  run: 'idle' as const,
  pausedUntil: null,
  groupExists: true,
  lag: 0,
  pending: 3,
  oldestUnreadMs: null,
  clockAheadMs: null,
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
])('the status says what is stuck, why, and what happens next: %s', (_, more, sentence) => {
  expect(explainStatus({ ...row, ...more }, now)).toBe(sentence);
});

it.each([
  [
    'no run is active',
    {},
    '3 entries wait, the oldest for 4 min: no run is active. The schedule or the next enqueue starts one.',
  ],
  [
    'the group does not exist',
    { groupExists: false, lag: 506, pending: 0, oldestPendingMs: null, oldestUnreadMs: 46_000 },
    '506 entries wait, the oldest for 46 s: there is no such group. The first run of its consumer creates it.',
  ],
  [
    'the group is paused',
    { run: 'paused' as const, lag: 7 },
    '10 entries wait, the oldest for 4 min. The group is paused.',
  ],
  [
    'the target rests',
    { restMs: 5000 },
    '3 entries wait, the oldest for 4 min. The target rests for another 5 s, then a run probes it.',
  ],
  [
    'the clocks differ',
    { pending: 0, oldestPendingMs: null, clockAheadMs: -3_600_000 },
    "The function's clock is 1 h behind that of Redis: set both by NTP.",
  ],
  ['a run is active', { run: 'active' as const }, undefined],
  ['nothing waits', { pending: 0, oldestPendingMs: null }, undefined],
  ['they wait for seconds', { oldestPendingMs: 5000 }, undefined],
])('the status of a shard without failures says what is stuck: %s', (_, more, sentence) => {
  expect(explainStatus({ ...row, lastFailure: null, ...more }, now)).toBe(sentence);
});

it('durations are shown in the largest unit that fits', () => {
  expect([999, 1000, 59_999, 60_000, 7_200_000, 172_800_000].map(formatMs)).toEqual([
    '999 ms',
    '1 s',
    '59 s',
    '1 min',
    '2 h',
    '2 d',
  ]);
});
