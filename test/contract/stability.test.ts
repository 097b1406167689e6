import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import * as redisKeys from '#lib/consumer/redis-keys.ts';
import { logRun } from '#lib/consumer/metrics.ts';
import { Counts } from '#lib/consumer/report.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import { createLog } from '#lib/core/log.ts';
import { FailureCounts } from '#lib/invocation/failure-metrics.ts';

/* docs/stability.md promises names: these are the ones that the code makes. */

const page = readFileSync('docs/stability.md', 'utf8');
const operating = readFileSync('docs/operating.md', 'utf8');

it('the stability page lists every key of the consumer exactly as the code makes it', () => {
  const [, table = ''] = /<!-- keys -->([^]*?)<!-- \/keys -->/.exec(page) ?? [];
  const listed = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, key]) => key);

  expect(listed.sort()).toEqual(
    Object.values(redisKeys)
      .map((keyOf) => keyOf('<stream>', keyOf === redisKeys.idempotencyKeyOf ? '<hash>' : '<group>', '<token>'))
      .sort(),
  );
});

interface Embedded {
  _aws: { CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[] };
}

/** Every metric that is written, once: `namespace dimensions name`. */
function metricsOf(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog('error', {}, (line) => lines.push(line)));
  const metrics = lines.flatMap((line) => (JSON.parse(line) as Embedded)._aws.CloudWatchMetrics);
  return metrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((dimensions) => Metrics.map(({ Name }) => `${Namespace} ${dimensions.join('+')} ${Name}`)),
  );
}

it('metrics have the namespaces, dimensions and names that the pages list', () => {
  const report = { ...new Counts(), pending: 2, lag: 3, oldestPendingMs: 5, stoppedBecause: 'drained' as const };
  const facts = { runMs: 1, shardsServed: 3, breakerLevel: 0, oldestUnreadMs: 0, length: 0, deadLetters: 0 };
  const run = { stream: 'orders', group: 'g', configRef: 'default', startedAt: 0 };
  const [, table = ''] = /^## Metrics$([^]*?)^## /m.exec(operating) ?? [];
  const ofRuns = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  );
  const namespace = 'MdmStreamFunctions/Consumer';
  const of = (dimensions: string) =>
    ofRuns.filter((name) => name !== 'runs').map((name) => `${namespace} ${dimensions} ${name}`);

  expect(metricsOf((log) => logRun(log, run, report, facts, 'full')).sort()).toEqual(
    [
      ...of('stream+group'),
      ...of('function'),
      `${namespace} function runs`,
      `${namespace} function+configRef runs`,
    ].sort(),
  );

  const refused = new ConnectorError('MDM:CLIENT_ERROR', 'The login was refused', { status: 502 });
  const failures = metricsOf((log) =>
    new FailureCounts().add(refused).write(log, 'mdm-prod-mdm-search', 'mdm-search', 'full'),
  );
  expect(failures.sort()).toEqual([
    'MdmStreamFunctions deployment refusedLogins',
    'MdmStreamFunctions deployment serverFailures',
    'MdmStreamFunctions deployment+type failures',
  ]);
  for (const metric of failures) expect(page).toContain(`\`${metric.split(' ').at(-1)}\`:`);
});
