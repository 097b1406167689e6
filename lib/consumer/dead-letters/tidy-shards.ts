import { Deadline } from '../../core/deadline.ts';
import type { Log } from '../../core/log.ts';
import type { Redis } from '../../redis/redis.ts';
import { lettersOf, type Letters } from './letter.ts';
import { readNotes } from './notes.ts';
import { FEW, isWorthTidying, tidyNotes } from './tidy-notes.ts';

/** Part of the remaining time that tidying may take, and shards that a run tidies: the next run tidies more. */
const MOST_TIME = 10;
const MOST_SHARDS = 4;

/** The notes and the dead letters of a shard, counted. */
interface ShardCounts {
  readonly stream: string;
  readonly notes: number;
  readonly deadLetters: number;
}

/**
 * Removes notes that no dead letter needs, of the shards that have many: somebody may have deleted or trimmed the
 * letters. A failure is logged, because the next run does it again.
 */
export async function tidyShards(
  redis: Redis,
  shards: readonly ShardCounts[],
  { group, deadLetterStream }: { readonly group: string; readonly deadLetterStream?: string | undefined },
  { deadline, log }: { readonly deadline: Deadline; readonly log: Log },
): Promise<void> {
  const inTime = Deadline.after(deadline.remainingMs() / MOST_TIME);
  const crowded = shards.filter(({ notes, deadLetters }) => notes > FEW + 2 * deadLetters).slice(0, MOST_SHARDS);
  const tidyOne = async ({ stream, deadLetters }: ShardCounts) => {
    await tidyShard(redis, lettersOf({ stream, group }, deadLetterStream), deadLetters, inTime);
  };
  const failed = (error: unknown) => log.warn('notes not tidied', { error });
  await Promise.all(crowded.map((shard) => tidyOne(shard).catch(failed)));
}

/** Removes the notes of a shard that no dead letter needs, if that is worth it. */
export async function tidyShard(redis: Redis, letters: Letters, count: number, deadline: Deadline): Promise<void> {
  const notes = await readNotes(redis, letters);
  if (!isWorthTidying(notes, count)) return;
  const { key, keyFields, isKeyNoted } = notes;
  await tidyNotes(redis, { ...letters, notes: key, keyFields, isKeyNoted }, notes, deadline);
}
