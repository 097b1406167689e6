import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { chooseDeadLetterStream } from '../../../lib/consumer/dead-letter-stream.ts';
import { redrive as putBack } from '../../../lib/consumer/redrive.ts';
import { redrive } from './contract.ts';

export const run: Run<typeof redrive, Redis> = (parameters, redis, { deadline }) =>
  putBack(redis, { ...parameters, deadLetterStream: chooseDeadLetterStream(redis, parameters) }, deadline);

export const handler = endpoint(redrive, commandClient, run);
