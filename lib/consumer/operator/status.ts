import type { GroupStatus } from '../../contract/parameters/status.ts';
import type { GroupInfo } from '../../contract/parameters/stream-info.ts';
import { LAST_POSSIBLE_ID } from '../../core/entry-id.ts';
import type { ConnectorError } from '../../core/errors.ts';
import type { Command, Redis } from '../../redis/redis.ts';
import { xinfoGroupsCommand } from '../../stream/commands/xinfo-groups.ts';
import { xlenCommand } from '../../stream/commands/xlen.ts';
import { xpendingSummaryCommand } from '../../stream/commands/xpending.ts';
import { countDeadLetters } from '../dead-letters/count-letters.ts';
import { addedAt, decodeEntries } from '../entry.ts';
import { deadLetterStreamOf, leaseKeyOf, pauseKeyOf, restKeyOf, stateKeyOf } from '../redis-keys.ts';
import type { Scope } from '../scope.ts';

export interface StatusOptions extends Scope {
  /** Where dead letters are. Default: each group's own stream. */
  deadLetterStream?: string;
}

/**
 * Where the groups of these shards stand, all shards at a time. Reads only. With a group, each shard has its row, a
 * missing stream or group too; without, there is a row for each group that exists.
 */
export async function readStatus(redis: Redis, options: StatusOptions): Promise<GroupStatus[]> {
  const { streams, group, deadLetterStream } = options;
  const shards = streams.map(async (stream) => {
    const [length, groups] = await Promise.all([redis.send(xlenCommand(stream)), readGroups(redis, stream)]);
    const names = group === undefined ? groups.map(({ name }) => name as string) : [group];
    const infoOf = (name: string) => groups.find((info) => info.name === name);
    return Promise.all(
      names.map((name) => readGroup(redis, { stream, group: name, length, info: infoOf(name), deadLetterStream })),
    );
  });
  return (await Promise.all(shards)).flat();
}

interface Shard {
  stream: string;
  group: string;
  length: number;
  info: GroupInfo | undefined;
  deadLetterStream: string | undefined;
}

async function readGroup(redis: Redis, shard: Shard): Promise<GroupStatus> {
  const { stream, group, length, info, deadLetterStream = deadLetterStreamOf(stream, group) } = shard;
  const [pendingNow, oldestUnreadMs, control, deadLetters] = await Promise.all([
    info ? redis.send(xpendingSummaryCommand(stream, group)) : { pending: 0, oldestId: null },
    readOldestUnread(redis, stream, info),
    readControl(redis, stream, group),
    countDeadLetters(redis, { stream, group }, deadLetterStream),
  ]);
  const { pending, oldestId } = pendingNow;
  const oldestPendingMs = oldestId === null ? null : ageOf(oldestId);
  return {
    stream,
    group,
    length,
    lag: lagOf(shard),
    pending,
    oldestPendingMs,
    oldestUnreadMs,
    ...control,
    deadLetters,
  };
}

/** Nothing was delivered to a group that does not exist. */
function lagOf({ length, info }: Shard): number | null {
  if (!info) return length;
  return typeof info.lag === 'number' && info.lag >= 0 ? info.lag : null; // Redis 7 miscounts after XDEL and trimming
}

async function readControl(redis: Redis, stream: string, group: string) {
  const get = <T>(key: string, args: string[], decode: Command<T>['decode']) => redis.send({ key, args, decode });
  const [lease, rest, pause, state] = [leaseKeyOf, restKeyOf, pauseKeyOf, stateKeyOf].map((of) =>
    of(stream, group),
  ) as [...[string, string, string, string]];
  const [isLeased, rests, pausedUntil, level] = await Promise.all([
    get(lease, ['EXISTS', lease], (reply) => reply === '1'),
    get(rest, ['PTTL', rest], Number),
    get(pause, ['GET', pause], (reply) => reply as string | null),
    get(state, ['HGET', state, 'level'], Number),
  ]);
  const restMs = Math.max(0, rests);
  return {
    run: pausedUntil !== null ? ('paused' as const) : isLeased ? ('active' as const) : ('idle' as const),
    pausedUntil: timeOf(pausedUntil),
    breaker: restMs > 0 ? ('open' as const) : level > 0 ? ('half-open' as const) : ('closed' as const),
    restMs,
  };
}

/** Null where a pause has no time: whoever sets the key by hand pauses the group, too. */
function timeOf(text: string | null): string | null {
  const time = new Date(text ? Number(text) : NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

async function readOldestUnread(redis: Redis, stream: string, info: GroupInfo | undefined): Promise<number | null> {
  const delivered = (info?.['last-delivered-id'] as string | undefined) ?? '0-0';
  if (delivered === LAST_POSSIBLE_ID) return null;
  const args = ['XRANGE', stream, `(${delivered}`, '+', 'COUNT', '1'];
  const [oldest] = await redis.send({ key: stream, args, decode: decodeEntries });
  return oldest ? ageOf(oldest.id) : null;
}

function readGroups(redis: Redis, stream: string): Promise<GroupInfo[]> {
  return redis.send(xinfoGroupsCommand(stream)).catch((error: ConnectorError) => {
    if (error.status === 404) return [];
    throw error;
  });
}

const ageOf = (id: string): number => Math.max(0, Date.now() - addedAt(id));
