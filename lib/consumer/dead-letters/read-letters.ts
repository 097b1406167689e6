import { compareIds } from '../../core/entry-id.ts';
import { addedAt, joinKey } from '../entry.ts';
import { deadLetterStreamOf } from '../redis-keys.ts';
import { script } from '../../redis/script.ts';
import type { Redis } from '../../redis/redis.ts';
import { DEAD_LETTER_FIELDS, decodeDeadLetter, type DeadLetter, type Origin } from './letter.ts';
import { decodePortion, FORWARDS, LISTING, WHOLE_PORTION } from './listing.ts';
import { AGE } from './notes.ts';

/** Maximum characters of a reported reason or type. */
const MAX_TEXT = 500;
/** Maximum bytes of a reported `dl-` field; another program may have written the letter. */
const MAX_VALUE_BYTES = 2000;

/**
 * KEYS dead letters, notes; ARGV from, to, number of dl- fields, dl- field…, key field… Returns whether these were
 * the last, and a list for each letter: its id, its age, its size, the value of each requested field.
 */
const LETTERS = `#!lua flags=no-writes
${LISTING}
${FORWARDS}
${AGE}
local names, rows = {unpack(ARGV, 4)}, {}
local isLast = eachEntry(forwards(KEYS[1], ARGV[2]), ARGV[1], ${WHOLE_PORTION}, function(letter)
  local row = rowOf(letter[1], '', letter[2], names)
  for at = 4, 3 + tonumber(ARGV[3]) do
    if names[at - 3] == 'dl-source-id' then row[2] = ageOf(KEYS[2], string.sub(row[at], 1, 41)) end
    row[at] = string.sub(row[at], 1, ${MAX_VALUE_BYTES})
  end
  rows[#rows + 1] = row
end)
return {isLast and 1 or 0, rows}`;
const lettersScript = script(LETTERS, decodePortion);

export interface LetterFilter {
  /** Only these letters. */
  ids?: readonly string[];
  /** Only letters whose reason contains this text. */
  reason?: string;
  /** Only letters of this error type. */
  errorType?: string;
  /** Only letters older than this, in milliseconds. */
  olderThanMs?: number;
  /** Also letters without an origin. */
  force?: boolean;
}

/** A dead-letter stream, and the group whose letters are meant. */
export interface LetterSource extends Origin {
  deadLetterStream: string;
  /** Hash of the notes. */
  notes: string;
  keyFields: readonly string[];
  /** Whether the consumer noted them. If not, the key of an entry without any of them is unknown. */
  isKeyNoted: boolean;
}

export interface Letter extends DeadLetter {
  readonly id: string;
  /** The first id of its entry. */
  readonly age: string;
  /** Its ordering key. */
  readonly key: string;
  readonly bytes: number;
}

/** A portion of the dead letters of a group. */
interface LetterPortion {
  /** Matching letters, the oldest first. */
  letters: Letter[];
  /** Id of the last letter in the portion; undefined if there was none. */
  lastId: string | undefined;
  isLast: boolean;
}

/** Reads a portion of a group's matching dead letters, the oldest first. */
export async function readLetterPortion(
  redis: Redis,
  source: LetterSource,
  filter: LetterFilter,
  from: string,
  to = '+',
): Promise<LetterPortion> {
  const fields = [DEAD_LETTER_FIELDS.length, ...DEAD_LETTER_FIELDS, ...source.keyFields];
  const keys = [source.deadLetterStream, source.notes];
  const { isLast, rows } = await redis.send(lettersScript(keys, [from, to, ...fields]));
  const isMeant = makeTest(source, filter);
  const letters: Letter[] = [];
  for (const { id, age, bytes, values } of rows) {
    const own = DEAD_LETTER_FIELDS.flatMap((name, at) => (values[at] === '' ? [] : [name, values[at]!]));
    const letter = decodeDeadLetter({ id, fields: own });
    const key = joinKey(values.slice(DEAD_LETTER_FIELDS.length));
    if (isMeant(letter, id)) letters.push({ ...shorten(letter), id, age, key, bytes });
  }
  return { letters, lastId: rows.at(-1)?.id, isLast };
}

/** Reads all matching dead letters of a group, the oldest first. Their bodies stay on the server. */
export async function* readLetters(redis: Redis, source: LetterSource, filter: LetterFilter): AsyncGenerator<Letter> {
  if (filter.ids) return yield* await readById(redis, source, filter, filter.ids);
  for (let after = '0-0', isOver = false; !isOver;) {
    const { letters, lastId = after, isLast } = await readLetterPortion(redis, source, filter, `(${after}`);
    yield* letters;
    [after, isOver] = [lastId, isLast];
  }
}

/** Reads the matching letters among these, the oldest first. Each has a script of its own, which looks at nothing else. */
async function readById(redis: Redis, source: LetterSource, filter: LetterFilter, ids: readonly string[]) {
  const whole = ids.map((id) => (id.includes('-') ? id : `${id}-0`));
  const oldestFirst = [...new Set(whole)].sort(compareIds);
  const portions = await Promise.all(oldestFirst.map((id) => readLetterPortion(redis, source, filter, id, id)));
  return portions.flatMap(({ letters }) => letters);
}

/** Version 0.1.0 wrote no origin. In the group's own dead-letter stream it is clear, in a shared one it is not. */
function makeTest({ stream, group, deadLetterStream }: LetterSource, filter: LetterFilter) {
  const { reason, errorType, olderThanMs, force = false } = filter;
  const mayBeUnnamed = force || deadLetterStream === deadLetterStreamOf(stream, group);
  const isFrom = (named: string, meant: string) => (named === '' ? mayBeUnnamed : named === meant);
  const writtenBy = Date.now() - (olderThanMs ?? 0);
  return (letter: Origin & DeadLetter, id: string): boolean =>
    isFrom(letter.stream, stream) &&
    isFrom(letter.group, group) &&
    (errorType === undefined || letter.errorType === errorType) &&
    (reason === undefined || letter.reason.includes(reason)) &&
    (olderThanMs === undefined || (letter.time || addedAt(id)) <= writtenBy);
}

function shorten({ sourceId, reason, errorType, deliveries, time }: DeadLetter): DeadLetter {
  const cut = (text: string) => text.slice(0, MAX_TEXT);
  return { sourceId: cut(sourceId), reason: cut(reason), errorType: cut(errorType), deliveries, time };
}
