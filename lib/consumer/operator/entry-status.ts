import type { EntryStatus, EntryStatusReport } from '../../contract/parameters/entry-status.ts';
import { compareIds } from '../../core/entry-id.ts';
import type { Redis, Reply } from '../../redis/redis.ts';
import { script } from '../../redis/script.ts';
import { xinfoGroupsCommand } from '../../stream/commands/xinfo-groups.ts';
import { findLetters, type FoundLetter } from '../dead-letters/find-letters.ts';
import { causeFieldOf, decodeFailing } from '../group/last-failure.ts';
import { deadLetterStreamOf, stateKeyOf } from '../redis-keys.ts';
import { ifMissing } from './status.ts';

/**
 * KEYS stream, state; ARGV group, id. Returns whether the stream has the entry, its deliveries if it is pending, and its
 * failures. Its body stays on the server.
 */
const LOOK = `#!lua flags=no-writes
local pending = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)
if pending.err and not string.find(pending.err, 'NOGROUP') then return pending end
local entry = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2], 'COUNT', 1)[1]
return {entry and 1 or 0, pending[1] and tostring(pending[1][4]) or false, redis.call('HGET', KEYS[2], 'e:' .. ARGV[2])}`;
const lookScript = script(
  LOOK,
  (reply) => reply as [exists: string, deliveries: string | null, failures: string | null] & Reply,
  'EVAL_RO',
);

export interface EntryStatusOptions {
  readonly streams: readonly string[];
  readonly group: string;
  /** The dead-letter stream. Default: each shard's own. */
  readonly deadLetterStream: string | undefined;
  readonly ids: readonly string[];
}

/** What a group knows of these entries, in whichever of the shards they are. Only reads. */
export async function readEntryStatus(redis: Redis, options: EntryStatusOptions): Promise<EntryStatusReport> {
  const { streams, group, deadLetterStream, ids } = options;
  const sought = ids.map((id) => (id.includes('-') ? id : `${id}-0`));
  const shards = await Promise.all(streams.map((stream) => lookAt(redis, { stream, group }, sought)));
  let complete = true;
  for (const shard of shards) {
    const open = shard.rows.filter(({ state }) => state === 'done' || state === 'unknown').map(({ id }) => id);
    if (open.length === 0) continue;
    const from = deadLetterStream ?? deadLetterStreamOf(shard.stream, group);
    const { letters, isComplete } = await findLetters(redis, from, { stream: shard.stream, group }, open);
    complete &&= isComplete;
    shard.rows = shard.rows.map((row) => withLetter(row, shard.stream, letters.get(row.id)));
  }
  const entries = sought.map((_, at) => {
    const rows = shards.flatMap(({ rows }) => rows[at] ?? []);
    return rows.find(({ state }) => state !== 'unknown') ?? rows[0];
  });
  return { entries: entries.filter((row) => row !== undefined), complete };
}

interface Shard {
  readonly stream: string;
  rows: EntryStatus[];
}

async function lookAt(redis: Redis, { stream, group }: { stream: string; group: string }, ids: readonly string[]) {
  const groups = await redis.send(xinfoGroupsCommand(stream)).catch(ifMissing([]));
  const info = groups.find(({ name }) => name === group);
  const delivered = info?.['last-delivered-id'] as string | undefined;
  const rows = ids.map((id) => look(redis, { stream, group, delivered }, id));
  return { stream, rows: await Promise.all(rows) } satisfies Shard as Shard;
}

interface Place {
  readonly stream: string;
  readonly group: string;
  /** The last entry that the group has read; undefined without a group. */
  readonly delivered: string | undefined;
}

async function look(redis: Redis, { stream, group, delivered }: Place, id: string): Promise<EntryStatus> {
  const state = stateKeyOf(stream, group);
  const [exists, deliveries, failures] = await redis.send(lookScript([stream, state], [group, id]));
  const nothing = { id, attempts: 0, nextTryAt: null, lastFailure: null, letterId: null };
  if (deliveries === null) {
    if (exists !== '1') return { ...nothing, stream: null, state: 'unknown' };
    const isRead = delivered !== undefined && compareIds(id, delivered) <= 0;
    return { ...nothing, stream, state: isRead ? 'done' : 'unread' };
  }
  const pending = { ...nothing, stream, state: 'pending' as const, attempts: Number(deliveries) };
  if (failures === null) return pending;
  const field = causeFieldOf(failures);
  const cause = field && (await redis.send({ key: state, args: ['HGET', state, field], decode: textOf }));
  const failing = decodeFailing(id, failures, new Map(field && cause ? [[field, cause]] : []));
  const { own, outages, dueAt } = failing;
  return {
    ...pending,
    attempts: pending.attempts + own + outages,
    nextTryAt: dueAt > 0 ? new Date(dueAt).toISOString() : null,
    lastFailure: failureOf(failing),
  };
}

const textOf = (reply: Reply) => reply as string | null;

function failureOf({ at, cause }: ReturnType<typeof decodeFailing>): EntryStatus['lastFailure'] {
  if (!cause || at === undefined) return null;
  return { type: cause.type, detail: cause.detail, at: new Date(at).toISOString() };
}

function withLetter(row: EntryStatus, stream: string, letter: FoundLetter | undefined): EntryStatus {
  if (!letter) return row;
  const { id: letterId, deliveries, errorType: type, reason: detail, time } = letter;
  const lastFailure = { type, detail, at: time.toISOString() };
  return { ...row, stream, state: 'dead-letter', attempts: deliveries || 0, lastFailure, letterId };
}
