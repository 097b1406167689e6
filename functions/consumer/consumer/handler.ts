import { consume } from '#lib/consumer/consume.ts';
import { logRun, withFailedRuns } from '#lib/consumer/metrics.ts';
import { resolveParameters, settingsRefusal, settingsWithin } from '#lib/consumer/settings.ts';
import { openRate } from '#lib/consumer/group/rate.ts';
import { refuseMissingRights } from '#lib/consumer/operator/rights.ts';
import { openShards } from '#lib/consumer/group/open-shards.ts';
import { openClock } from '#lib/consumer/redis-clock.ts';
import { successorOf } from '#lib/consumer/invoke-consumer.ts';
import { openTarget } from '#lib/consumer/targets/open-target.ts';
import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { consumer } from './contract.ts';

export const run: Run<typeof consumer, Redis> = async (given, redis, invocation) => {
  const startedAt = { epochMs: Date.now(), now: performance.now() };
  const { configRef, deadline, log } = invocation;
  const { ingest, redis: config } = await invocation.config();
  const refuseSettings = settingsRefusal(given, configRef);
  const { streams, ...rest } = resolveParameters(given, ingest, refuseSettings);
  invocation.checkKeys('/stream', streams);
  await refuseMissingRights(redis, config!, { stream: streams[0]!, group: rest.group });
  const clock = await openClock(redis, streams[0]!, log);
  const target = await openTarget(rest, invocation);
  const shards = openShards(redis, streams, { ...rest, keyFields: target.keyFields }, refuseSettings);
  const of = { stream: rest.stream, group: rest.group };
  const settings = settingsWithin(rest, deadline.remainingMs(), invocation.memoryMb);
  const startSuccessor = ingest.wake ? successorOf(given, deadline) : undefined;
  const countFailure = (error: unknown) => void invocation.failures.addAttempt(error);
  const rate = openRate(redis, streams[0]!, rest);
  const parts = { clock, shards, target, rate, settings, log: log.with(of), countFailure, startSuccessor };
  const { report, health, error } = await consume(parts);
  const runMs = performance.now() - startedAt.now;
  logRun(log, { ...of, configRef, startedAt: startedAt.epochMs }, report, { ...health, runMs });
  if (error) throw error;
  return report;
};

export const handler = withFailedRuns(endpoint(consumer, commandClient, run));
