import type { Deadline } from '../../core/deadline.ts';
import { compareIds } from '../../core/entry-id.ts';
import type { Redis, Reply } from '../../redis/redis.ts';
import { scanHash } from '../../redis/scan-hash.ts';
import { xlenCommand } from '../../stream/commands/xlen.ts';
import { hashOfKey } from '../entry.ts';
import { defineScript } from '../../redis/script.ts';
import { BEGINNING, isId, readLastDelivered, type Notes } from './notes.ts';
import { readLetterPortion, type LetterSource } from './read-letters.ts';
import finishTidying from './scripts/finish-tidying.lua';
import removeNotes from './scripts/remove-notes.lua';

/** Number of fields to read or remove at a time. */
const PORTION = 500;
/** Fewer notes are not tidied. */
export const FEW = 16;
const AGE = 'r:';
const ageNote = (id: string) => AGE + id;
/** Fields about all letters. */
const SHARED_FIELDS = new Set(['keyFields', 'streams', 'cleared', 'tidied']);

type Removed = 'removed' | 'another stream' | 'another letter';
const removeScript = defineScript(removeNotes, (reply) => reply as Removed);

const finishScript = defineScript(finishTidying, () => undefined);

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
  const needed = new Set(SHARED_FIELDS);
  for (const id of await findWaiting(redis, source, fields, isOver)) needed.add(ageNote(id));
  if (notes.mayBeElsewhere && !isOver()) {
    await redis.send({ key: notes.key, args: ['HSET', notes.key, 'cleared', '1'], decode: String });
  }
  const lastIds = new Map(notes.deadLetterStreams.map((stream) => [stream, BEGINNING]));
  for (let result: Removed | undefined; result !== 'removed';) {
    for (const stream of lastIds.keys()) {
      const letters = { ...source, deadLetterStream: stream };
      lastIds.set(stream, await findNeeded(redis, letters, lastIds.get(stream)!, needed, isOver));
    }
    // the latest entry of a key may have an age
    for (const [name, id] of fields) if (needed.has(name)) needed.add(ageNote(id));
    if (isOver()) return false;
    const unneeded = [...fields.keys()].filter((name) => !needed.has(name));
    result = await remove(redis, notes, lastIds, unneeded);
    if (result === 'another stream') return false;
  }
  await redis.send(finishScript([notes.key], [notes.listed, JSON.stringify(notes.deadLetterStreams)]));
  return true;
}

async function readFields(redis: Redis, key: string, isOver: () => boolean): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  for await (const pairs of scanHash(redis, key, PORTION)) {
    for (let index = 0; index < pairs.length; index += 2) fields.set(pairs[index]!, pairs[index + 1]!);
    if (isOver()) break;
  }
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
  for (let index = 0; index < ids.length && !isOver(); index += PORTION) {
    const portion = ids.slice(index, index + PORTION).filter(isId);
    const isKnown = await Promise.all(portion.map(isWaiting));
    waiting.push(...portion.filter((_, position) => isKnown[position]));
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
  for (let index = 0; index < names.length; index += PORTION) {
    const portion = names.slice(index, index + PORTION);
    const result = await redis.send(removeScript(keys, [listed, ...lastIds.values(), ...portion]));
    if (result !== 'removed') return result;
  }
  return 'removed';
}
