import { chooseDeadLetterStream } from '../../../lib/consumer/dead-letter-stream.ts';
import { consume } from '../../../lib/consumer/consumer.ts';
import { logRun } from '../../../lib/consumer/metrics.ts';
import { resolveParameters, type Resolved } from '../../../lib/consumer/parameters.ts';
import { RedisGroup } from '../../../lib/consumer/redis-group.ts';
import { bodyBytesOf, VIEW_LIMIT } from '../../../lib/consumer/settings.ts';
import { successorOf } from '../../../lib/consumer/successor.ts';
import type { Target } from '../../../lib/consumer/target.ts';
import { lambdaTarget } from '../../../lib/consumer/targets/lambda.ts';
import { sourceSubmitTarget } from '../../../lib/consumer/targets/source-submit.ts';
import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { mdmClient } from '../../../lib/mdm/client.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { readConfig } from '../../../lib/runtime/config.ts';
import type { Invocation } from '../../../lib/runtime/invocation.ts';
import { consumer } from './contract.ts';

export const run: Run<typeof consumer, Redis> = async (given, redis, invocation) => {
  const startedAt = performance.now();
  const { configRef, connector, deadline, log } = invocation;
  const { ingest } = await readConfig(configRef, connector);
  const { streams, ...rest } = resolveParameters(given, ingest);
  const target = await openTarget(rest, invocation);
  const shards = streams.map((stream) => {
    const deadLetterStream = chooseDeadLetterStream(redis, { ...rest, stream });
    return { stream, group: new RedisGroup(redis, { ...rest, stream, deadLetterStream, keyFields: target.keyFields }) };
  });
  const of = { stream: rest.stream, group: rest.group };
  const limits = { budgetMs: deadline.remainingMs(), bodyBytes: bodyBytesOf(invocation.memoryMb), viewLimit: VIEW_LIMIT }; // prettier-ignore
  const startSuccessor = ingest.wake ? successorOf(given) : undefined;
  const { report, health } = await consume({ shards, target, settings: { ...rest, ...limits }, log: log.with(of), startSuccessor }); // prettier-ignore
  logRun(log, of, report, { ...health, runMs: performance.now() - startedAt });
  return report;
};

async function openTarget(settings: Omit<Resolved, 'streams'>, invocation: Invocation): Promise<Target> {
  const { target: name, stream, group, keyField, targetBatchSize: batchSize } = settings;
  if (name !== 'source-submit') return lambdaTarget({ name, stream, group, keyField, batchSize });
  return sourceSubmitTarget(await mdmClient(invocation, { attempts: 1 }));
}

export const handler = endpoint(consumer, commandClient, run);
