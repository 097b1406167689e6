import type { Deadline } from '../../core/deadline.ts';
import { compareIds } from '../../core/entry-id.ts';
import type { Redis, Reply } from '../../redis/redis.ts';
import { xlenCommand } from '../../stream/commands/xlen.ts';
import { hashOfKey } from '../entry.ts';
import { script } from '../../redis/script.ts';
import { BEGINNING, isId, readLastDelivered, type Notes } from './notes.ts';
import { readLetterPortion, type LetterSource } from './read-letters.ts';

/** Number of fields to read or remove at a time. */
const PORTION = 500;
/** Fewer notes are not tidied. */
const FEW = 16;
const AGE = 'r:';
const ageNote = (id: string) => AGE + id;
/** Fields about all letters. */
const OF_ALL = new Set(['keyFields', 'streams', 'cleared', 'tidied']);

/**
 * KEYS notes, dead-letter stream…; ARGV the hash's list of them, the last seen letter of each, field… Removes these
 * fields, unless newer letters may need them. Returns the result.
 */
const REMOVE = `#!lua
if (redis.call('HGET', KEYS[1], 'streams') or '') ~= ARGV[1] then return 'another stream' end
for at = 2, #KEYS do
  if #redis.call('XRANGE', KEYS[at], '(' .. ARGV[at], '+', 'COUNT', 1) > 0 then return 'another letter' end
end
redis.call('HDEL', KEYS[1], unpack(ARGV, #KEYS + 1))
return 'removed'`;
type Removed = 'removed' | 'another stream' | 'another letter';
const removeScript = script(REMOVE, (reply) => reply as Removed);

/** KEYS notes; ARGV the hash's list of streams, the new list. Notes how many fields are left, if any. */
const FINISH = `#!lua
if redis.call('EXISTS', KEYS[1]) == 0 or (redis.call('HGET', KEYS[1], 'streams') or '') ~= ARGV[1] then return end
redis.call('HSET', KEYS[1], 'streams', ARGV[2], 'tidied', redis.call('HLEN', KEYS[1]))`;
const finishScript = script(FINISH, () => undefined);

/** How many letters the streams of a group hold, including those of groups that share them. */
export async function countLetters(redis: Redis, { deadLetterStreams }: Notes): Promise<number> {
  const lengths = await Promise.all(deadLetterStreams.map((stream) => redis.send(xlenCommand(stream))));
  return lengths.reduce((sum, length) => sum + length, 0);
}

/**
 * Whether to tidy: more than half of the notes may be unneeded. Tidying looks at all letters, so its cost is in
 * proportion to the new notes. If unknown streams may hold letters, it waits until no more can be noted.
 */
export function isWorthTidying({ size, tidied, mayBeElsewhere }: Notes, letters: number): boolean {
  return !mayBeElsewhere && size > FEW + 2 * Math.max(letters, tidied);
}

/**
 * Removes the notes of keys without a letter, and the ages of letters that went back and are neither waiting nor
 * letters again.
 *
 * It looks at entries first and at letters after them: a waiting entry may become a letter meanwhile, but something
 * that is neither stays so. It looks at new letters before it removes anything.
 *
 * @returns whether it finished; not if the time was over, or if another dead-letter stream was noted meanwhile
 */
export async function tidyNotes(
  redis: Redis,
  source: LetterSource,
  notes: Notes,
  deadline: Deadline,
): Promise<boolean> {
  const isOver = () => deadline.remainingMs() === 0;
  const fields = await readFields(redis, notes.key, isOver);
  const needed = new Set(OF_ALL);
  for (const id of await findWaiting(redis, source, fields, isOver)) needed.add(ageNote(id));
  if (notes.mayBeElsewhere && !isOver()) {
    await redis.send({ key: notes.key, args: ['HSET', notes.key, 'cleared', '1'], decode: String });
  }
  const lastIds = new Map(notes.deadLetterStreams.map((stream) => [stream, BEGINNING]));
  for (let outcome: Removed | undefined; outcome !== 'removed';) {
    for (const stream of lastIds.keys()) {
      const letters = { ...source, deadLetterStream: stream };
      lastIds.set(stream, await findNeeded(redis, letters, lastIds.get(stream)!, needed, isOver));
    }
    for (const [name, id] of fields) if (needed.has(name)) needed.add(ageNote(id)); // the latest entry of a key may have an age
    if (isOver()) return false;
    const unneeded = [...fields.keys()].filter((name) => !needed.has(name));
    outcome = await remove(redis, notes, lastIds, unneeded);
    if (outcome === 'another stream') return false;
  }
  await redis.send(finishScript([notes.key], [notes.listed, JSON.stringify(notes.deadLetterStreams)]));
  return true;
}

async function readFields(redis: Redis, key: string, isOver: () => boolean): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  let cursor = '0';
  do {
    const args = ['HSCAN', key, cursor, 'COUNT', String(PORTION)];
    const [next, pairs] = await redis.send({ key, args, decode: (reply) => reply as [string, string[]] });
    for (let at = 0; at < pairs.length; at += 2) fields.set(pairs[at]!, pairs[at + 1]!);
    cursor = next;
  } while (cursor !== '0' && !isOver());
  return fields;
}

/** The waiting entries that have an age: pending, or not delivered yet. */
async function findWaiting(
  redis: Redis,
  source: LetterSource,
  fields: ReadonlyMap<string, string>,
  isOver: () => boolean,
): Promise<string[]> {
  const { stream, group } = source;
  const ids = [...fields.keys()].filter((name) => name.startsWith(AGE)).map((name) => name.slice(AGE.length));
  const delivered = await readLastDelivered(redis, source);
  const isWaiting = async (id: string) => {
    if (compareIds(id, delivered) > 0) return true;
    const args = ['XPENDING', stream, group, id, id, '1'];
    return redis.send({ key: stream, args, decode: (reply) => (reply as Reply[]).length > 0 });
  };
  const waiting: string[] = [];
  for (let at = 0; at < ids.length && !isOver(); at += PORTION) {
    const portion = ids.slice(at, at + PORTION).filter(isId);
    const known = await Promise.all(portion.map(isWaiting));
    waiting.push(...portion.filter((_, index) => known[index]));
  }
  return waiting;
}

/** Collects the notes that the letters after one need. Returns the last one it looked at. */
async function findNeeded(
  redis: Redis,
  letters: LetterSource,
  after: string,
  needed: Set<string>,
  isOver: () => boolean,
): Promise<string> {
  let [last, isLast] = [after, false];
  while (!isLast && !isOver()) {
    const portion = await readLetterPortion(redis, letters, { force: true }, `(${last}`);
    for (const { key, sourceId } of portion.letters) needed.add(hashOfKey(key)).add(ageNote(sourceId));
    [last, isLast] = [portion.lastId ?? last, portion.isLast];
  }
  return last;
}

async function remove(
  redis: Redis,
  { key, listed }: Notes,
  lastIds: ReadonlyMap<string, string>,
  names: readonly string[],
): Promise<Removed> {
  const keys = [key, ...lastIds.keys()];
  for (let at = 0; at < names.length; at += PORTION) {
    const portion = names.slice(at, at + PORTION);
    const outcome = await redis.send(removeScript(keys, [listed, ...lastIds.values(), ...portion]));
    if (outcome !== 'removed') return outcome;
  }
  return 'removed';
}
