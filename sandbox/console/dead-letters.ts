import { deadLetterStreamOf } from '../../lib/consumer/redis-keys.ts';
import type { DeadLetterRow } from './messages.ts';
import type { FrontParts } from '../stack/stack.ts';

const SHOWN_A_SHARD = 25;

/** The oldest dead letters of each shard. */
export async function readDeadLetters({ post, shards, group }: FrontParts): Promise<DeadLetterRow[]> {
  const byShard = await Promise.all(
    shards.map(async (stream) => {
      const key = deadLetterStreamOf(stream, group);
      const range = { key, start: '-', end: '+', count: SHOWN_A_SHARD };
      const letters = await post<Record<string, Record<string, string>>>('/stream/xrange', range);
      return Object.entries(letters).map(([id, fields]) => rowOf(stream, id, fields));
    }),
  );
  return byShard.flat().sort((a, b) => b.time.localeCompare(a.time));
}

function rowOf(stream: string, id: string, fields: Record<string, string>): DeadLetterRow {
  const entry = Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith('dl-')));
  const of = (name: string) => fields[`dl-${name}`] ?? '';
  const [reason, errorType, deliveries, time] = [of('reason'), of('error-type'), of('deliveries'), of('time')];
  return { stream, id, reason, errorType, deliveries, time, entry };
}
