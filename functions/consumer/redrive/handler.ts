import { chooseDeadLetterStream } from '#lib/consumer/dead-letters/letter.ts';
import { redrive as putBack } from '#lib/consumer/dead-letters/redrive.ts';
import { shardNames } from '#lib/consumer/scope.ts';
import { wakeConsumer } from '#lib/consumer/producer/wake.ts';
import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { commandClient } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { redrive } from './contract.ts';

export const run: Run<typeof redrive, Redis> = async (parameters, redis, invocation) => {
  const { deadline } = invocation;
  const { stream, ids, count } = parameters;
  const { ingest } = await invocation.config();
  invocation.checkKeys('/stream', [stream]);
  const deadLetterStream = chooseDeadLetterStream(redis, parameters);
  const report = await putBack(redis, { ...parameters, count: ids?.length ?? count, deadLetterStream }, deadline);
  const isOfIngest = shardNames(ingest.stream, ingest.shards).includes(stream); // the consumer is woken for no other
  if (report.redriven > 0 && isOfIngest) await wakeConsumer(redis, { streams: [stream], ingest, invocation });
  return report;
};

export const handler = endpoint(redrive, commandClient, run);
