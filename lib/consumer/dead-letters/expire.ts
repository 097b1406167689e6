import { Deadline } from '../../core/deadline.ts';
import type { Log } from '../../core/log.ts';
import type { Redis } from '../../redis/redis.ts';
import { Script } from '../../redis/script.ts';
import { deadLetterStreamOf } from '../redis-keys.ts';
import { lettersOf, type Letters } from './letter.ts';
import expire from './scripts/expire.lua';
import { tidyShard } from './tidy-shards.ts';

/** Portions to look at in each stream: 5,000 letters. The next run goes on from there. */
const MOST_PORTIONS = 20;
/** Part of the run's time that this may take. */
const MOST_TIME = 10;

const expireScript = new Script(expire, (reply) => reply as [isLast: string, last: string, deleted: string]);

/** Where the last run of this process stopped looking: letters of other groups may fill the beginning of a stream. */
const lookedTo = new Map<string, string>();

/** The shards whose dead letters expire. */
interface Expiry {
  readonly streams: readonly string[];
  readonly group: string;
  /** Default: that of each shard. */
  readonly deadLetterStream?: string;
  /** Default: they do not expire. */
  readonly deadLetterMaxAgeMs?: number;
}

/**
 * Deletes the dead letters of a group that are older than `deadLetterMaxAgeMs`, and the notes that no other letter
 * needs. It leaves letters of other groups in the same stream. A failure is logged, because the next run does it again.
 */
export async function expireLetters(
  redis: Redis,
  { streams, group, deadLetterStream, deadLetterMaxAgeMs: maxAgeMs }: Expiry,
  deadline: Deadline,
  log: Log,
): Promise<void> {
  if (maxAgeMs === undefined) return;
  const inTime = Deadline.after(deadline.remainingMs() / MOST_TIME);
  const expireOf = async (stream: string) => {
    const letters = lettersOf({ stream, group }, deadLetterStream);
    const deleted = await expireShard(redis, letters, maxAgeMs, inTime);
    if (deleted === 0) return;
    log.info('dead letters expired', { shard: stream, deleted });
    await tidyShard(redis, letters, 0, inTime);
  };
  const failed = (error: unknown) => log.warn('dead letters not expired', { error });
  await Promise.all(streams.map((stream) => expireOf(stream).catch(failed)));
}

async function expireShard(redis: Redis, letters: Letters, maxAgeMs: number, deadline: Deadline): Promise<number> {
  const { stream, group, deadLetterStream } = letters;
  const mayBeUnnamed = deadLetterStream === deadLetterStreamOf(stream, group) ? '1' : '0';
  const place = JSON.stringify(letters);
  let [from, deleted] = [lookedTo.get(place) ?? '-', 0];
  for (let portions = 0; portions < MOST_PORTIONS && deadline.remainingMs() > 0; portions++) {
    const args = [maxAgeMs, from, stream, group, mayBeUnnamed];
    const [isLast, last, count] = await expireScript.run(redis, [deadLetterStream], args);
    deleted += Number(count);
    from = isLast === '1' ? '-' : `(${last}`;
    if (from === '-') break;
  }
  lookedTo.set(place, from);
  return deleted;
}
