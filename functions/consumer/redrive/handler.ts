import { takeOverLetters } from '#lib/consumer/dead-letters/former-letters.ts';
import { chooseDeadLetterStream } from '#lib/consumer/dead-letters/letter.ts';
import { redrive as putBack } from '#lib/consumer/dead-letters/redrive.ts';
import { ingestShards, scopeOf } from '#lib/consumer/scope.ts';
import { wakeConsumer } from '#lib/consumer/producer/wake.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { redrive } from './contract.ts';

export const run: Implementation<typeof redrive, Redis> = async (parameters, redis, invocation) => {
  const { deadline, log } = invocation;
  const { stream, group, ids, count } = parameters;
  const { ingest } = await invocation.config();
  invocation.checkKeys('/stream', [stream]);
  const named = scopeOf(parameters, ingest).namedLetters?.(parameters);
  const deadLetterStream = chooseDeadLetterStream(redis, { deadLetterStream: named, ...parameters });
  await takeOverLetters(redis, { stream, group });
  const report = await putBack(redis, { ...parameters, count: ids?.length ?? count, deadLetterStream, log }, deadline);
  const isOfIngest = ingestShards(ingest).has(stream); // the consumer is woken for no other
  if (report.redriven > 0 && isOfIngest) await wakeConsumer(redis, { streams: [stream], ingest, invocation });
  return report;
};

export const handler = endpoint(redrive, openRedis, run);
