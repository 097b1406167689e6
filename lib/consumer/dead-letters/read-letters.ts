import { compareIds } from '../../core/entry-id.ts';
import { addedAt, joinKey } from '../entry.ts';
import { deadLetterStreamOf } from '../redis-keys.ts';
import { defineScript } from '../../redis/script.ts';
import type { Redis } from '../../redis/redis.ts';
import { decodeDeadLetter, LISTED_FIELDS, type DeadLetter, type Origin } from './letter.ts';
import { decodePortion } from './listing.ts';
import listLetters from './scripts/list-letters.lua';

/** Maximum characters of a reported reason or type. */
const MAX_TEXT = 500;
const lettersScript = defineScript(listLetters, decodePortion);

export interface LetterFilter {
  /** Only these letters. */
  ids?: readonly string[];
  /** Only letters whose reason contains this text. */
  reason?: string;
  /** Only letters of this error type. */
  errorType?: string;
  /** Only letters written by this time, in milliseconds since 1970. */
  writtenBy?: number;
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
  const fields = [LISTED_FIELDS.length, ...LISTED_FIELDS, ...source.keyFields];
  const keys = [source.deadLetterStream, source.notes];
  const { isLast, rows } = await redis.send(lettersScript(keys, [from, to, ...fields]));
  const isMeant = makeTest(source, filter);
  const letters: Letter[] = [];
  for (const { id, age, bytes, values } of rows) {
    const letterFields = LISTED_FIELDS.flatMap((name, index) => (values[index] === '' ? [] : [name, values[index]!]));
    const letter = decodeDeadLetter({ id, fields: letterFields });
    const key = joinKey(values.slice(LISTED_FIELDS.length));
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

/**
 * Reads the matching letters among these, the oldest first, each by one script that reads nothing else.
 */
async function readById(redis: Redis, source: LetterSource, filter: LetterFilter, ids: readonly string[]) {
  const whole = ids.map((id) => (id.includes('-') ? id : `${id}-0`));
  const oldestFirst = [...new Set(whole)].sort(compareIds);
  const portions = await Promise.all(oldestFirst.map((id) => readLetterPortion(redis, source, filter, id, id)));
  return portions.flatMap(({ letters }) => letters);
}

/** Version 0.1.0 wrote no origin. In the group's own dead-letter stream it is clear, in a shared one it is not. */
function makeTest({ stream, group, deadLetterStream }: LetterSource, filter: LetterFilter) {
  const { reason, errorType, writtenBy, force = false } = filter;
  const mayBeUnnamed = force || deadLetterStream === deadLetterStreamOf(stream, group);
  const isFrom = (named: string, meant: string) => (named === '' ? mayBeUnnamed : named === meant);
  return (letter: Origin & DeadLetter, id: string): boolean =>
    isFrom(letter.stream, stream) &&
    isFrom(letter.group, group) &&
    (errorType === undefined || letter.errorType === errorType) &&
    (reason === undefined || letter.reason.includes(reason)) &&
    (writtenBy === undefined || (letter.time || addedAt(id)) <= writtenBy);
}

function shorten({ sourceId, reason, errorType, deliveries, time }: DeadLetter): DeadLetter {
  const cut = (text: string) => text.slice(0, MAX_TEXT);
  return { sourceId: cut(sourceId), reason: cut(reason), errorType: cut(errorType), deliveries, time };
}
