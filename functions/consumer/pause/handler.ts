import { pause as pauseGroup, resume as resumeGroup } from '#lib/consumer/operator/pause.ts';
import { wakeConsumer } from '#lib/consumer/producer/wake.ts';
import { ingestShards, scopeOf } from '#lib/consumer/scope.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { pause } from './contract.ts';

export const run: Implementation<typeof pause, Redis> = async ({ forMs, ...parameters }, redis, invocation) => {
  const { ingest } = await invocation.config();
  const { streams, group = ingest.group } = scopeOf(parameters, ingest);
  invocation.checkKeys('/stream', streams);
  if (forMs !== undefined) {
    const until = await pauseGroup(redis, { streams, group, forMs, log: invocation.log });
    return { pausedUntil: until.toISOString() };
  }
  await resumeGroup(redis, streams, group);
  const shards = ingestShards(ingest); // the consumer is woken for no others
  const resumed = group === ingest.group ? streams.filter((stream) => shards.has(stream)) : [];
  await wakeConsumer(redis, { streams: resumed, ingest, invocation });
  return { pausedUntil: null };
};

export const handler = endpoint(pause, openRedis, run);
