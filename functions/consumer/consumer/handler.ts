import { carryStreams } from '#lib/consumer/carry-streams.ts';
import { successorOf } from '#lib/consumer/invoke-consumer.ts';
import { logRun, withFailedRuns } from '#lib/consumer/metrics.ts';
import { resolveParameters, settingsRefusal } from '#lib/consumer/settings.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { consumer } from './contract.ts';

export const run: Implementation<typeof consumer, Redis> = async (requested, redis, invocation) => {
  const [startedAt, started] = [Date.now(), performance.now()];
  const { configRef, deadline, log } = invocation;
  const { ingest, redis: config } = await invocation.config();
  const refuseSettings = settingsRefusal(requested, configRef);
  const parameters = resolveParameters(requested, ingest, refuseSettings);
  invocation.checkKeys('/stream', parameters.streams);
  const startSuccessor = ingest.wake ? successorOf(requested, deadline) : undefined;
  const options = { redis, config: config!, invocation, refuseSettings, startSuccessor };
  const { report, health, error } = await carryStreams(parameters, options);
  const { stream, group } = parameters;
  logRun(log, { stream, group, configRef, startedAt }, report, { ...health, runMs: performance.now() - started });
  if (error) throw error;
  return report;
};

export const handler = withFailedRuns(endpoint(consumer, openRedis, run, 'CONSUMER'));
