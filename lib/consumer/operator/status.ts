import type { DeadLetterCount, GroupStatus } from '../../contract/parameters/status.ts';
import type { GroupInfo } from '../../contract/parameters/stream-info.ts';
import type { ConnectorError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Command, Redis } from '../../redis/redis.ts';
import { defineScript } from '../../redis/script.ts';
import { xinfoGroupsCommand } from '../../stream/commands/xinfo-groups.ts';
import { xlenCommand } from '../../stream/commands/xlen.ts';
import { xpendingSummaryCommand } from '../../stream/commands/xpending.ts';
import { countDeadLetters } from '../dead-letters/count-letters.ts';
import { lettersOf } from '../dead-letters/letter.ts';
import { addedAt } from '../entry.ts';
import { readWaiting } from './last-failure.ts';
import nextEntry from './next-entry.lua';
import { leaseKeyOf, pauseKeyOf, rateKeyOf, restKeyOf, stateKeyOf } from '../redis-keys.ts';
import { openClock, type RedisClock } from '../redis-clock.ts';
import type { Scope } from '../scope.ts';

export interface StatusOptions extends Scope {
  /** Takes the warnings of clocks that differ, and of a right that is missing. */
  log?: Pick<Log, 'warn'>;
}

/** A row without its dead letters. */
type StatusRow = Omit<GroupStatus, 'deadLetters'>;

/**
 * The status of the groups of these shards: first of all shards at the same time, then their dead letters, one stream
 * after the other, so that the server can serve others in between. Only reads. With a group, each shard has a row, even
 * if the stream or the group is missing; without one, each existing group has a row.
 */
export async function readStatus(redis: Redis, options: StatusOptions): Promise<GroupStatus[]> {
  const { streams, group, namedLetters, log } = options;
  const clock = await openClock(redis, streams[0]!, log);
  let refusal: ConnectorError | undefined;
  const refused = (error: ConnectorError) => void (refusal = error);
  const shards = streams.map(async (stream) => {
    const [length, groups] = await Promise.all([redis.send(xlenCommand(stream)), readGroups(redis, stream)]);
    const names = group === undefined ? groups.map(({ name }) => name as string) : [group];
    const infoOf = (name: string) => groups.find((info) => info.name === name);
    return Promise.all(
      names.map((name) => readGroup(redis, clock, { stream, group: name, length, info: infoOf(name) }, refused)),
    );
  });
  const rows = (await Promise.all(shards)).flat();
  if (refusal) log?.warn('last failures not read', { detail: refusal.message });
  const deadLetters = await readDeadLetters(redis, rows, namedLetters);
  return rows.map((row) => ({ ...row, deadLetters: deadLetters.get(row)! }));
}

interface Shard {
  stream: string;
  group: string;
  length: number;
  info: GroupInfo | undefined;
}

async function readGroup(
  redis: Redis,
  clock: RedisClock,
  shard: Shard,
  refused: (error: ConnectorError) => void,
): Promise<StatusRow> {
  const { stream, group, length, info } = shard;
  const ageOf = (id: string | null) => (id === null ? null : Math.max(0, clock.epochMs() - addedAt(id)));
  const [{ pending, oldestId }, unreadId, control, failing] = await Promise.all([
    readPending(redis, shard),
    readUnreadId(redis, stream, info),
    readControl(redis, stream, group),
    readWaiting(redis, stream, group, refused),
  ]);
  const ages = { oldestPendingMs: ageOf(oldestId), oldestUnreadMs: ageOf(unreadId) };
  const counts = { stream, group, groupExists: info !== undefined, length, lag: lagOf(shard), pending };
  return { ...counts, ...ages, ...control, ...failing, clockAheadMs: clock.aheadMs };
}

/** The dead letters of each row, from its own or the requested stream. A shared stream is read once. */
async function readDeadLetters(
  redis: Redis,
  rows: readonly StatusRow[],
  namedLetters: Scope['namedLetters'],
): Promise<Map<StatusRow, DeadLetterCount[]>> {
  const byStream = Map.groupBy(rows, (row) => lettersOf(row, namedLetters?.(row)).deadLetterStream);
  const lengths = await Promise.all(Array.from(byStream.keys(), (stream) => redis.send(xlenCommand(stream))));
  const counted = new Map<StatusRow, DeadLetterCount[]>(rows.map((row) => [row, []]));
  for (const [index, [stream, sharing]] of [...byStream].entries()) {
    if (lengths[index] === 0) continue;
    const counts = await countDeadLetters(redis, stream, sharing);
    for (const [rowIndex, row] of sharing.entries()) counted.set(row, counts[rowIndex]!);
  }
  return counted;
}

/** The summary of a group that does not exist (any more): nothing is pending. */
async function readPending(redis: Redis, { stream, group, info }: Shard) {
  const none = { pending: 0, oldestId: null };
  return info ? redis.send(xpendingSummaryCommand(stream, group)).catch(ifMissing(none)) : none;
}

/** Nothing is delivered yet if the group does not exist. */
function lagOf({ length, info }: Shard): number | null {
  if (!info) return length;
  return typeof info.lag === 'number' && info.lag >= 0 ? info.lag : null; // Redis 7 miscounts after XDEL and trimming
}

async function readControl(redis: Redis, stream: string, group: string) {
  const get = <T>(key: string, args: string[], decode: Command<T>['decode']) => redis.send({ key, args, decode });
  const [lease, rest, pause, state, rate] = [leaseKeyOf, restKeyOf, pauseKeyOf, stateKeyOf, rateKeyOf].map((keyOf) =>
    keyOf(stream, group),
  ) as [string, string, string, string, string];
  const [isLeased, rests, pausedUntil, level, ratePerSecond] = await Promise.all([
    get(lease, ['EXISTS', lease], (reply) => reply === '1'),
    get(rest, ['PTTL', rest], Number),
    get(pause, ['GET', pause], (reply) => reply as string | null),
    get(state, ['HGET', state, 'level'], Number),
    get(rate, ['HGET', rate, 'perSecond'], (reply) => (reply === null ? null : Number(reply))),
  ]);
  const restMs = Math.max(0, rests);
  return {
    run: pausedUntil !== null ? ('paused' as const) : isLeased ? ('active' as const) : ('idle' as const),
    pausedUntil: timeOf(pausedUntil),
    breaker: restMs > 0 ? ('open' as const) : level > 0 ? ('half-open' as const) : ('closed' as const),
    restMs,
    ratePerSecond,
  };
}

/** The end of a pause; null if it has none, as when somebody set the key by hand. */
function timeOf(text: string | null): string | null {
  const time = new Date(text ? Number(text) : NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

const nextScript = defineScript(nextEntry, (reply) => reply as string | null, 'EVAL_RO');

function readUnreadId(redis: Redis, stream: string, info: GroupInfo | undefined): Promise<string | null> {
  const delivered = (info?.['last-delivered-id'] as string | undefined) ?? '0-0';
  return redis.send(nextScript([stream], [delivered]));
}

function readGroups(redis: Redis, stream: string): Promise<GroupInfo[]> {
  return redis.send(xinfoGroupsCommand(stream)).catch(ifMissing([]));
}

/** Replaces the error for a missing stream or group by a value. */
export function ifMissing<T>(reply: T): (error: ConnectorError) => T {
  return (error) => {
    if (error.status === 404) return reply;
    throw error;
  };
}
