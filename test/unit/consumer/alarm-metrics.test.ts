import { expect, it, jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { ConnectorError } from '#lib/core/errors.ts';
import { createLog } from '#lib/core/log.ts';
import { logRun, withFailedRuns } from '#lib/consumer/metrics.ts';
import { Counts } from '#lib/consumer/report.ts';
import { FailureCounts } from '#lib/invocation/failure-metrics.ts';
import { alarmResources } from '#deploy/alarms.ts';
import { readParameters } from '#deploy/read-parameters.ts';

const loginRefused = () => new ConnectorError('MDM:CLIENT_ERROR', 'Refused', { status: 502, upstreamStatus: 401 });
const timeout = () => new ConnectorError('MDM:TIMEOUT', 'Too late');

type Line = Record<string, unknown> & {
  _aws: { CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[] };
};

/** What functions write as metrics. */
function written(failures: FailureCounts): Line[] {
  const lines: Line[] = [];
  const log = createLog('error', { function: 's-prod-stream-consumer' }, (line) =>
    lines.push(JSON.parse(line) as Line),
  );
  const report = { ...new Counts(), pending: 2, lag: 3, oldestPendingMs: 5, stoppedBecause: 'drained' as const };
  const health = { shardsServed: 3, breakerLevel: 0, oldestUnreadMs: 0, length: 5, deadLetters: 1 };
  logRun(log, { stream: 'orders', group: 'g', configRef: 'default', startedAt: Date.now() }, report, {
    runMs: 1,
    ...health,
  });
  failures.write(log, 's-prod-stream-consumer', 'stream-consumer');
  return lines;
}

it("the consumer's metrics have the names, values and dimensions that alarms watch", () => {
  const lines = written(new FailureCounts().add(timeout()).add(loginRefused()));
  const emitted = lines.flatMap((line) =>
    line._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
      Metrics.flatMap(({ Name }) => {
        expect(line[Name]).toEqual(expect.any(Number));
        return Dimensions.map((names) =>
          [Namespace, Name, ...names.map((name) => `${name}=${String(line[name])}`)].join(' '),
        );
      }),
    ),
  );
  const watched = JSON.stringify(
    alarmResources(readParameters({ service: 's', stage: 'prod', commandLine: [], blocks: {} })),
  );

  const metrics = [
    ...watched.matchAll(/"Namespace":"(MdmStreamFunctions[^"]*)","MetricName":"(\w+)","Dimensions":(\[[^\]]*\])/g),
  ];
  expect(metrics.length).toBeGreaterThan(5);
  for (const [, namespace, name, dimensions] of metrics) {
    const dimensionsByName = (JSON.parse(dimensions!) as { Name: string; Value: string }[]).map(
      ({ Name, Value }) => `${Name}=${Value}`,
    );
    expect(emitted).toContain([namespace, name, ...dimensionsByName].join(' '));
  }
});

it('metrics count a refused login once, however many calls fail before the next login', () => {
  const refused = loginRefused();
  const failures = new FailureCounts();
  for (let call = 0; call < 10; call++) failures.add(refused);
  const lines = written(failures.add(timeout()).add(timeout()).add(new Error('not of a call')));

  expect(lines.filter(({ refusedLogins }) => refusedLogins !== undefined)).toMatchObject([{ refusedLogins: 1 }]);
  expect(lines.filter(({ failures }) => failures !== undefined)).toMatchObject([
    { type: 'MDM:CLIENT_ERROR', failures: 10 },
    { type: 'MDM:TIMEOUT', failures: 2 },
  ]);
});

it('failure metrics count calls that fail with 500 or more, but no retried attempt', () => {
  const counts = new FailureCounts().add(timeout()).add(new ConnectorError('STREAM:COMMAND', 'Gone', { status: 503 }));
  counts.add(new ConnectorError('STREAM:COMMAND', 'No group', { status: 404 })).addAttempt(timeout());

  expect(written(counts).filter(({ serverFailures }) => serverFailures !== undefined)).toMatchObject([
    { deployment: 's-prod', serverFailures: 2 },
  ]);
});

it.each([
  ['one that names its configuration', { configRef: 'emea' }, 'emea', [['function'], ['function', 'configRef']]],
  ['one without', {}, 'default', [['function'], ['function', 'configRef']]],
  ['one whose configRef is none', { configRef: 'No One' }, undefined, [['function']]],
  ['one without an object', null, 'default', [['function'], ['function', 'configRef']]],
])('metrics count a failed run as 0 runs: %s', async (_, event, configRef, dimensions) => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const failing = withFailedRuns(() => Promise.reject(new Error('no')));

  await expect(failing(event, { awsRequestId: 'r' } as Context)).rejects.toThrow('no');

  const line = JSON.parse(write.mock.calls[0]![0] as string) as Line;
  write.mockRestore();
  expect(line).toMatchObject({ message: 'run failed', requestId: 'r', runs: 0 });
  expect(line.configRef).toBe(configRef);
  expect(line._aws.CloudWatchMetrics.map(({ Dimensions }) => Dimensions)).toEqual([dimensions]);
});
