import type { DeadLetterCount } from '../../contract/parameters/status.ts';
import type { Redis, Reply } from '../../redis/redis.ts';
import { defineScript } from '../../redis/script.ts';
import { deadLetterStreamOf } from '../redis-keys.ts';
import type { Origin } from './letter.ts';
import count from './scripts/count.lua';

/** Maximum dead letters to count by reason: the latest. */
const MAX_LETTERS = 10_000;
/** Maximum reasons to list; the others are counted together. */
const MAX_REASONS = 20;
const OTHERS = '(other reasons)';

const countScript = defineScript(count, decode, 'EVAL_RO');

interface Count extends Origin, DeadLetterCount {}

interface Portion {
  isLast: boolean;
  firstId: string;
  seen: number;
  counts: Count[];
}

/**
 * Counts the dead letters of these groups in one stream by type and reason, the most frequent first: of the latest
 * 10,000 letters, the 20 most frequent reasons of each group, and the others together. Only reads, in portions.
 */
export async function countDeadLetters(
  redis: Redis,
  deadLetterStream: string,
  groups: readonly Origin[],
): Promise<DeadLetterCount[][]> {
  const total = new Map<string, Count>();
  let [before, left] = ['+', MAX_LETTERS];
  for (let isOver = false; !isOver && left > 0;) {
    const { isLast, firstId, seen, counts } = await redis.send(countScript([deadLetterStream], [before]));
    for (const row of counts) {
      const name = [row.stream, row.group, row.errorType, row.reason].join('\n');
      const known = total.get(name);
      if (known) known.count += row.count;
      else total.set(name, row);
    }
    [before, left, isOver] = [`(${firstId}`, left - seen, isLast];
  }
  return groups.map((origin) => mostFrequent(ofGroup([...total.values()], deadLetterStream, origin)));
}

/** In a group's own dead-letter stream, letters without an origin are the group's: version 0.1.0 wrote none. */
function ofGroup(counts: readonly Count[], deadLetterStream: string, { stream, group }: Origin): DeadLetterCount[] {
  const mayBeUnnamed = deadLetterStream === deadLetterStreamOf(stream, group);
  const isFrom = (named: string, meant: string) => named === meant || (named === '' && mayBeUnnamed);
  const byReason = new Map<string, DeadLetterCount>();
  for (const row of counts) {
    if (!isFrom(row.stream, stream) || !isFrom(row.group, group)) continue;
    const { errorType, reason, count } = row;
    const known = byReason.get(`${errorType}\n${reason}`);
    byReason.set(`${errorType}\n${reason}`, { errorType, reason, count: count + (known?.count ?? 0) });
  }
  return [...byReason.values()];
}

function mostFrequent(counts: DeadLetterCount[]): DeadLetterCount[] {
  const sorted = counts.sort((a, b) => b.count - a.count);
  const otherCount = sorted.slice(MAX_REASONS).reduce((sum, { count }) => sum + count, 0);
  const listed = sorted.slice(0, MAX_REASONS);
  return otherCount === 0 ? listed : [...listed, { errorType: OTHERS, reason: OTHERS, count: otherCount }];
}

function decode(reply: Reply): Portion {
  const [isLast, firstId, seen, rows] = reply as [string, string, string, string[][]];
  const counts = rows.map(([stream, group, errorType, reason, count]) => ({
    stream: stream!,
    group: group!,
    errorType: errorType!,
    reason: reason!,
    count: Number(count),
  }));
  return { isLast: isLast === '1', firstId, seen: Number(seen), counts };
}
