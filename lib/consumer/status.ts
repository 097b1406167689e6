import type { ConnectorError } from '../core/errors.ts';
import type { Redis } from '../redis/redis.ts';
import { xinfoGroupsCommand, type GroupInfo } from '../stream/commands/xinfo-groups.ts';
import { xlenCommand } from '../stream/commands/xlen.ts';
import { xpendingSummaryCommand } from '../stream/commands/xpending.ts';
import { decodeDeadLetter } from './dead-letter.ts';
import { addedAt, decodeEntries } from './entry.ts';
import { deadLetterStreamOf, leaseKeyOf } from './names.ts';

/** Dead letters that are told apart by reason; of more, the latest. */
const MAX_DEAD_LETTERS = 10_000;

export interface GroupStatus {
  group: string;
  /** Entries not yet delivered; null where the server cannot tell. */
  lag: GroupInfo[string];
  pending: number;
  /** Age of the oldest pending entry; null where none is. */
  oldestPendingMs: number | null;
  /** Whether a run is active. */
  isLeased: boolean;
  deadLetters: DeadLetterCount[];
}

export interface DeadLetterCount {
  errorType: string;
  reason: string;
  count: number;
}

export interface StreamStatus {
  stream: string;
  length: number;
  groups: GroupStatus[];
}

/** Where a stream and its groups stand; undefined where there is no such stream. */
export async function readStatus(redis: Redis, stream: string): Promise<StreamStatus | undefined> {
  const groups = await redis.send(xinfoGroupsCommand(stream)).catch((error: ConnectorError) => {
    if (error.status === 404) return undefined;
    throw error;
  });
  if (!groups) return undefined;
  return {
    stream,
    length: await redis.send(xlenCommand(stream)),
    groups: await Promise.all(groups.map((info) => readGroup(redis, stream, info))),
  };
}

async function readGroup(redis: Redis, stream: string, { name, lag }: GroupInfo): Promise<GroupStatus> {
  const group = name as string;
  const lease = leaseKeyOf(stream, group);
  const [{ pending, oldestId }, isLeased, deadLetters] = await Promise.all([
    redis.send(xpendingSummaryCommand(stream, group)),
    redis.send({ key: lease, args: ['EXISTS', lease], decode: (reply) => reply === '1' }),
    countDeadLetters(redis, deadLetterStreamOf(stream, group)),
  ]);
  const oldestPendingMs = oldestId === null ? null : Math.max(0, Date.now() - addedAt(oldestId));
  return { group, lag: lag ?? null, pending, oldestPendingMs, isLeased, deadLetters };
}

async function countDeadLetters(redis: Redis, key: string): Promise<DeadLetterCount[]> {
  const args = ['XREVRANGE', key, '+', '-', 'COUNT', String(MAX_DEAD_LETTERS)];
  const letters = (await redis.send({ key, args, decode: decodeEntries })).map(decodeDeadLetter);
  const byReason = Map.groupBy(letters, ({ errorType, reason }) => JSON.stringify([errorType, reason]));
  return Array.from(byReason.values(), (alike) => {
    const { errorType, reason } = alike[0]!;
    return { errorType, reason, count: alike.length };
  }).sort((a, b) => b.count - a.count);
}
