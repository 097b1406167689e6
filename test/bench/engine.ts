import { consumer } from '../../functions/stream/consumer/contract.ts';
import { ConnectorError } from '../../lib/core/errors.ts';
import { endpoint, type Run } from '../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../lib/redis/connections.ts';
import type { Redis } from '../../lib/redis/redis.ts';
import { consume } from '../../lib/consumer/consumer.ts';
import { chooseDeadLetterStream } from '../../lib/consumer/dead-letter-stream.ts';
import { fieldOf } from '../../lib/consumer/entry.ts';
import { RedisGroup } from '../../lib/consumer/redis-group.ts';

/*
 * The consumer with targets that cost nothing, so that what is measured is the engine: `take` takes every entry,
 * `refuse` makes a dead letter of each.
 */

const targets: Record<string, () => Promise<void>> = {
  take: async () => {},
  refuse: async () => {
    throw new ConnectorError('MDM:CLIENT_ERROR', 'refused', { upstreamStatus: 400 });
  },
};

export const run: Run<typeof consumer, Redis> = (parameters, redis, invocation) =>
  consume({
    group: new RedisGroup(redis, { ...parameters, deadLetterStream: chooseDeadLetterStream(redis, parameters) }),
    target: { keyOf: (entry) => fieldOf(entry, 'sourcePKey')!, process: targets[parameters.target]! },
    settings: { ...parameters, budgetMs: invocation.deadline.remainingMs() },
    log: invocation.log,
  });

export const handler = endpoint(consumer, commandClient, run);
