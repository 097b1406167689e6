import { chooseDeadLetterStream } from '../../../lib/consumer/dead-letters/letter.ts';
import { consume } from '../../../lib/consumer/consume.ts';
import { logRun, withFailedRuns } from '../../../lib/consumer/metrics.ts';
import { bodyBytesOf, resolveParameters, settingsRefusal, VIEW_LIMIT } from '../../../lib/consumer/settings.ts';
import { RedisGroup } from '../../../lib/consumer/group/redis-group.ts';
import { successorOf } from '../../../lib/consumer/invoke-consumer.ts';
import { openTarget } from '../../../lib/consumer/targets/open-target.ts';
import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { consumer } from './contract.ts';

export const run: Run<typeof consumer, Redis> = async (given, redis, invocation) => {
  const startedAt = { epochMs: Date.now(), now: performance.now() };
  const { configRef, deadline, log } = invocation;
  const { ingest } = await invocation.config();
  const refuseSettings = settingsRefusal(given, configRef);
  const { streams, ...rest } = resolveParameters(given, ingest, refuseSettings);
  invocation.checkKeys('/stream', streams);
  const target = await openTarget(rest, invocation);
  const shards = streams.map((stream) => {
    const deadLetterStream = chooseDeadLetterStream(redis, { ...rest, stream }, refuseSettings);
    return { stream, group: new RedisGroup(redis, { ...rest, stream, deadLetterStream, keyFields: target.keyFields }) };
  });
  const of = { stream: rest.stream, group: rest.group };
  const bodyBytes = bodyBytesOf(invocation.memoryMb);
  const settings = { ...rest, budgetMs: deadline.remainingMs(), bodyBytes, viewLimit: VIEW_LIMIT };
  const startSuccessor = ingest.wake ? successorOf(given, deadline) : undefined;
  const countFailure = (error: unknown) => void invocation.failures.addAttempt(error);
  const parts = { shards, target, settings, log: log.with(of), countFailure, startSuccessor };
  const { report, health, error } = await consume(parts);
  const runMs = performance.now() - startedAt.now;
  logRun(log, { ...of, configRef, startedAt: startedAt.epochMs }, report, { ...health, runMs });
  if (error) throw error;
  return report;
};

export const handler = withFailedRuns(endpoint(consumer, commandClient, run));
