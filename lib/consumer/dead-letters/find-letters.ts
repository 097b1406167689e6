import type { Redis, Reply } from '../../redis/redis.ts';
import { script } from '../../redis/script.ts';
import { deadLetterStreamOf } from '../redis-keys.ts';
import type { Origin } from './letter.ts';
import { FORWARDS, LISTING, WHOLE_PORTION } from './listing.ts';

/** Maximum letters to search per stream. */
const MAX_SEARCHED = 10_000;
/** Maximum bytes of a reported field. */
const MAX_BYTES = 500;

/**
 * KEYS dead letters; ARGV from, source id… Returns whether these were the last, the id of the last, their number, and for
 * each letter of these entries its id and `dl-` fields. Bodies stay on the server.
 */
const FIND = `#!lua flags=no-writes
${LISTING}
${FORWARDS}
local wanted, found, last, seen = {}, {}, '', 0
for at = 2, #ARGV do wanted[ARGV[at]] = true end
local names = {'dl-source-id', 'dl-stream', 'dl-group', 'dl-error-type', 'dl-reason', 'dl-deliveries', 'dl-time'}
local isLast = eachEntry(forwards(KEYS[1]), ARGV[1], ${WHOLE_PORTION}, function(letter)
  last, seen = letter[1], seen + 1
  local values = valuesOf(letter[2])
  if not wanted[values['dl-source-id'] or ''] then return end
  local row = {letter[1]}
  for at, name in ipairs(names) do row[at + 1] = string.sub(values[name] or '', 1, ${MAX_BYTES}) end
  found[#found + 1] = row
end)
return {isLast and 1 or 0, last, seen, found}`;
const findScript = script(
  FIND,
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
  deadLetterStream: string,
  origin: Origin,
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
