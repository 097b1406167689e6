import type { Redis, Reply } from '../../redis/redis.ts';
import { scanHash } from '../../redis/scan-hash.ts';
import { defineScript } from '../../redis/script.ts';
import { deadLetterStreamOf, formerlyMixedWith, supersededKeyOf } from '../redis-keys.ts';
import type { Origin } from './letter.ts';
import moveFormer from './scripts/move-former.lua';

/** Fields of the notes per command. */
const PORTION = 500;

const moveCommand = defineScript(moveFormer, (reply) => reply as [isLast: string, last: string, ours: string] & Reply);

/**
 * Moves the dead letters of a group, and the notes about them, from the names that version 1.0 gave them. Those of the
 * stream that it mixed up with this one stay.
 */
export async function takeOverLetters(redis: Redis, origin: Origin): Promise<void> {
  const { stream, group } = origin;
  const former = formerlyMixedWith(stream);
  if (former === undefined) return;
  const keys = [deadLetterStreamOf(former, group), deadLetterStreamOf(stream, group)];
  const eachPortion = async (isMoving: boolean): Promise<boolean> => {
    for (let from = '-'; ;) {
      const args = [from, stream, group, isMoving ? 1 : 0];
      const [isLast, last, ours] = await redis.send(moveCommand(keys, args));
      if (!isMoving && ours !== '0') return true;
      if (isLast === '1') return false;
      from = `(${last}`;
    }
  };
  if (!(await eachPortion(false))) return;
  await copyNotes(redis, supersededKeyOf(former, group), supersededKeyOf(stream, group)); // before a letter can go back
  await eachPortion(true);
}

async function copyNotes(redis: Redis, from: string, to: string): Promise<void> {
  for await (const fields of scanHash(redis, from, PORTION)) {
    if (fields.length > 0) await redis.send({ key: to, args: ['HSET', to, ...fields], decode: String });
  }
}
