import type { Redis } from '../../redis/redis.ts';
import { DEAD_LETTER_FIELDS, decodeDeadLetter, type DeadLetter, type Origin } from './letter.ts';
import { addedAt, joinKey } from '../entry.ts';
import { deadLetterStreamOf } from '../redis-keys.ts';
import { bytesOf, PageSize } from '../page-size.ts';
import { AGE, decodeListed, FIELD } from './listing.ts';
import { script } from '../../redis/script.ts';

/** Longest reason and type that are reported, in characters. */
const MAX_TEXT = 500;

/** Longest value of a `dl-` field that is reported, in bytes; another program may have written the letter. */
const MAX_VALUE_BYTES = 2000;

/**
 * KEYS dead letters, notes; ARGV after, count, number of dl- fields, dl- field…, key field… Returns a list for each
 * letter: its id, its age, its size, the value of each field asked for.
 */
const LETTERS = `#!lua flags=no-writes
${FIELD}
${AGE}
local page = redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2])
for at, letter in ipairs(page) do
  local fields, row = letter[2], {letter[1], '', bytesOf(letter[2])}
  for arg = 4, #ARGV do
    local value = valueOf(fields, ARGV[arg])
    row[arg] = arg - 3 <= tonumber(ARGV[3]) and string.sub(value, 1, ${MAX_VALUE_BYTES}) or value
  end
  row[2] = ageOf(KEYS[2], string.sub(valueOf(fields, 'dl-source-id'), 1, 41))
  page[at] = row
end
return page`;

const lettersScript = script(LETTERS, decodeListed);

export interface LetterFilter {
  /** Only those whose reason holds this text. */
  reason?: string;
  /** Only those of this error type. */
  errorType?: string;
  /** Only those given up longer ago than this, in milliseconds. */
  olderThanMs?: number;
  /** Those too that do not say where they are from. */
  force?: boolean;
}

/** Where letters are, and whose are meant. */
export interface LetterSource extends Origin {
  deadLetterStream: string;
  /** Hash of what came later, by key. */
  notes: string;
  keyFields: readonly string[];
  /** Whether the consumer noted them; else an entry without any of them has no key that is known. */
  isKeyNoted: boolean;
}

export interface Letter extends DeadLetter {
  readonly id: string;
  /** Id that its entry had at first. */
  readonly age: string;
  /** Its ordering key. */
  readonly key: string;
  readonly bytes: number;
}

/** The dead letters of a group that match, oldest first; their bodies stay on the server. */
export async function* readLetters(redis: Redis, source: LetterSource, filter: LetterFilter): AsyncGenerator<Letter> {
  const { deadLetterStream, notes, keyFields } = source;
  const fields = [DEAD_LETTER_FIELDS.length, ...DEAD_LETTER_FIELDS, ...keyFields];
  const size = new PageSize();
  const isMeant = makeTest(source, filter);
  for (let after = '-', isLast = false; !isLast;) {
    const page = await redis.send(lettersScript([deadLetterStream, notes], [after, size.count, ...fields]));
    for (const { id, age, bytes, values } of page) {
      const own = DEAD_LETTER_FIELDS.flatMap((name, at) => (values[at] === '' ? [] : [name, values[at]!]));
      const letter = decodeDeadLetter({ id, fields: own });
      const key = joinKey(values.slice(DEAD_LETTER_FIELDS.length));
      if (isMeant(letter, id)) yield { ...shorten(letter), id, age, key, bytes };
    }
    isLast = size.learn(page.length, bytesOf(page));
    if (!isLast) after = `(${page.at(-1)!.id}`;
  }
}

/** Version 0.1.0 wrote no origin: in the group's own dead-letter stream it is plain, in a shared one it is not. */
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
