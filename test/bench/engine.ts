import { consumer } from '#functions/consumer/consumer/contract.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openRedis } from '#lib/redis/connections.ts';
import type { Redis } from '#lib/redis/redis.ts';
import { consume } from '#lib/consumer/consume.ts';
import { chooseDeadLetterStream } from '#lib/consumer/dead-letters/letter.ts';
import { resolveParameters, settingsRefusal, settingsWithin } from '#lib/consumer/settings.ts';
import { RedisGroup } from '#lib/consumer/group/redis-group.ts';

/*
 * The consumer with targets that cost nothing, so that what is measured is the engine: `take` takes every entry,
 * `refuse` makes a dead letter of each.
 */

/** Stands in for the configuration of the secret. */
const INGEST = { stream: 'bench', shards: 1, group: 'bench', idempotencyMs: 86_400_000, wake: false, consumer: {} };

/** Made once: a stack trace would cost more than the engine does. */
const refused = new ConnectorError('MDM:CLIENT_ERROR', 'refused', { upstreamStatus: 400 });

const targets: Record<string, () => Promise<void>> = {
  take: async () => {},
  refuse: async () => {
    await Promise.resolve(); // no real target fails before it has waited for something
    throw refused;
  },
};

export const run: Implementation<typeof consumer, Redis> = async (given, redis, invocation) => {
  const parameters = resolveParameters(given, INGEST, settingsRefusal(given, invocation.configRef));
  const keyFields = ['sourcePKey'];
  const shards = parameters.streams.map((stream) => {
    const deadLetterStream = chooseDeadLetterStream(redis, { ...parameters, stream });
    return { stream, group: new RedisGroup(redis, { ...parameters, stream, deadLetterStream, keyFields }) };
  });
  const { report } = await consume({
    shards,
    target: { keyFields, process: targets[given.target!]! },
    settings: settingsWithin(parameters, invocation.deadline.remainingMs(), 512),
    log: invocation.log,
  });
  return report;
};

export const handler = endpoint(consumer, openRedis, run);
