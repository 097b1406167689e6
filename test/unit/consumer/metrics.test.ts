import { expect, it } from '@jest/globals';
import { createLog, type Level } from '#lib/core/log.ts';
import { logRun } from '#lib/consumer/metrics.ts';
import { Counts } from '#lib/consumer/report.ts';

const report = { ...new Counts(), pending: 2, lag: null, oldestPendingMs: 5, stoppedBecause: 'drained' as const };

function metricsAt(level: Level, facts: Partial<Parameters<typeof logRun>[3]> = {}) {
  const lines: string[] = [];
  const log = createLog(level, {}, (line) => lines.push(line));
  logRun(log, { stream: 'orders', group: 'g', configRef: 'default', startedAt: Date.now() }, report, {
    runMs: 1.4,
    shardsServed: 3,
    breakerLevel: 0,
    oldestUnreadMs: 0,
    length: 4,
    deadLetters: 1,
    ...facts,
  });
  const [line] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
  const { CloudWatchMetrics } = line!._aws as { CloudWatchMetrics: { Metrics: { Name: string; Unit: string }[] }[] };
  return { line: line!, names: CloudWatchMetrics[0]!.Metrics.map(({ Name }) => Name) };
}

it.each(['debug', 'info', 'warn', 'error'] as const)('metrics reach CloudWatch at LOG_LEVEL=%s', (level) => {
  const { line, names } = metricsAt(level, { oldestUnreadMs: 800, breakerLevel: 2 });

  expect(line).toMatchObject({ stream: 'orders', group: 'g', oldestUnreadMs: 800, breakerOpen: 1, shardsServed: 3 });
  expect(line).toMatchObject({ runMs: 1, stoppedBecause: 'drained' });
  expect(names).toEqual(
    expect.arrayContaining(['oldestUnreadMs', 'breakerOpen', 'breakerLevel', 'shardsServed', 'runMs', 'pending']),
  );
});

it('metrics omit unknown values instead of writing 0', () => {
  const { names } = metricsAt('info');

  expect(names).not.toContain('lag');
});
