import type { Redis, Reply } from '../../redis/redis.ts';
import { defineScript } from '../../redis/script.ts';
import { deadLetterStreamOf } from '../redis-keys.ts';
import type { Letters } from './letter.ts';
import find from './scripts/find.lua';

/** Maximum letters to search per stream. */
const MAX_SEARCHED = 10_000;
const findScript = defineScript(
  find,
  (reply) => reply as [isLast: string, last: string, seen: string, found: string[][]] & Reply,
  'EVAL_RO',
);

/** The dead letter of an entry. */
export interface FoundLetter {
  readonly id: string;
  readonly sourceId: string;
  readonly errorType: string;
  readonly reason: string;
  readonly deliveries: number;
  /** When it was written. */
  readonly time: Date;
}

/**
 * Finds the latest dead letters of these entries, from the time of the oldest entry on, because a letter is never older
 * than its entry. Only reads, in portions, and at most 10,000 letters.
 */
export async function findLetters(
  redis: Redis,
  { deadLetterStream, ...origin }: Letters,
  ids: readonly string[],
): Promise<{ letters: Map<string, FoundLetter>; isComplete: boolean }> {
  const letters = new Map<string, FoundLetter>();
  const mayBeUnnamed = deadLetterStream === deadLetterStreamOf(origin.stream, origin.group);
  const isFrom = (named: string, meant: string) => named === meant || (named === '' && mayBeUnnamed);
  let from = String(Math.min(...ids.map((id) => Number(id.slice(0, id.indexOf('-'))))));
  for (let left = MAX_SEARCHED; left > 0;) {
    const [isLast, last, seen, found] = await redis.send(findScript([deadLetterStream], [from, ...ids]));
    for (const [id = '', sourceId = '', stream = '', group = '', errorType = '', reason = '', count, time] of found) {
      if (!isFrom(stream, origin.stream) || !isFrom(group, origin.group)) continue;
      letters.set(sourceId, { id, sourceId, errorType, reason, deliveries: Number(count), time: timeOf(id, time) });
    }
    if (isLast === '1') return { letters, isComplete: true };
    [from, left] = [`(${last}`, left - Number(seen)];
  }
  return { letters, isComplete: false };
}

/** The time that the letter names; that of its id, if another program wrote it. */
function timeOf(id: string, text = ''): Date {
  const time = Date.parse(text);
  return new Date(Number.isNaN(time) ? Number(id.slice(0, id.indexOf('-'))) : time);
}
