import type { EntryStatus, EntryStatusReport } from '../../contract/parameters/entry-status.ts';
import { compareIds } from '../../core/entry-id.ts';
import type { Redis, Reply } from '../../redis/redis.ts';
import { defineScript } from '../../redis/script.ts';
import { xinfoGroupsCommand } from '../../stream/commands/xinfo-groups.ts';
import { findLetters, type FoundLetter } from '../dead-letters/find-letters.ts';
import { lettersOf } from '../dead-letters/letter.ts';
import { causeFieldOf, decodeFailing } from '../group/last-failure.ts';
import { stateKeyOf } from '../redis-keys.ts';
import type { Scope } from '../scope.ts';
import { ifMissing } from './status.ts';
import entryStatus from './entry-status.lua';

const entryScript = defineScript(
  entryStatus,
  (reply) => reply as [exists: string, deliveries: string | null, failures: string | null] & Reply,
  'EVAL_RO',
);

export interface EntryStatusOptions extends Scope {
  group: string;
  ids: readonly string[];
}

/** Entries of several shards may have the same id: shown is the one that needs most attention. */
const BY_ATTENTION: readonly EntryStatus['state'][] = ['dead-letter', 'pending', 'unread', 'done', 'unknown'];

/** What a group knows of these entries, in whichever of the shards they are. Only reads. */
export async function readEntryStatus(redis: Redis, options: EntryStatusOptions): Promise<EntryStatusReport> {
  const { streams, group, namedLetters, ids } = options;
  const sought = ids.map((id) => (id.includes('-') ? id : `${id}-0`));
  const shards = await Promise.all(streams.map((stream) => readShard(redis, { stream, group }, sought)));
  let complete = true;
  for (const shard of shards) {
    const open = shard.rows.filter(({ state }) => state === 'done' || state === 'unknown').map(({ id }) => id);
    if (open.length === 0) continue;
    const origin = { stream: shard.stream, group };
    const { letters, isComplete } = await findLetters(redis, lettersOf(origin, namedLetters?.(origin)), open);
    complete &&= isComplete;
    shard.rows = shard.rows.map((row) => withLetter(row, shard.stream, letters.get(row.id)));
  }
  const entries = sought.map((_, index) => {
    const rows = shards.flatMap(({ rows }) => rows[index] ?? []);
    return rows.sort((a, b) => BY_ATTENTION.indexOf(a.state) - BY_ATTENTION.indexOf(b.state))[0];
  });
  return { entries: entries.filter((row) => row !== undefined), complete };
}

interface Shard {
  readonly stream: string;
  rows: EntryStatus[];
}

async function readShard(redis: Redis, { stream, group }: { stream: string; group: string }, ids: readonly string[]) {
  const groups = await redis.send(xinfoGroupsCommand(stream)).catch(ifMissing([]));
  const info = groups.find(({ name }) => name === group);
  const delivered = info?.['last-delivered-id'] as string | undefined;
  const rows = ids.map((id) => readEntry(redis, { stream, group, delivered }, id));
  return { stream, rows: await Promise.all(rows) } satisfies Shard as Shard;
}

interface ShardPosition {
  readonly stream: string;
  readonly group: string;
  /** The last entry that the group has read; undefined without a group. */
  readonly delivered: string | undefined;
}

async function readEntry(redis: Redis, { stream, group, delivered }: ShardPosition, id: string): Promise<EntryStatus> {
  const state = stateKeyOf(stream, group);
  const [exists, deliveries, failures] = await redis.send(entryScript([stream, state], [group, id]));
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
  const { entryFailures, targetFailures, dueAt } = failing;
  return {
    ...pending,
    attempts: pending.attempts + entryFailures + targetFailures,
    nextTryAt: dueAt > 0 ? new Date(dueAt).toISOString() : null,
    lastFailure: failureOf(failing),
  };
}

const textOf = (reply: Reply) => reply as string | null;

function failureOf({ failedAt, cause }: ReturnType<typeof decodeFailing>): EntryStatus['lastFailure'] {
  if (!cause || failedAt === undefined) return null;
  return { type: cause.type, detail: cause.detail, at: new Date(failedAt).toISOString() };
}

function withLetter(row: EntryStatus, stream: string, letter: FoundLetter | undefined): EntryStatus {
  if (!letter) return row;
  const { id: letterId, deliveries, errorType: type, reason: detail, time } = letter;
  const lastFailure = { type, detail, at: time.toISOString() };
  return { ...row, stream, state: 'dead-letter', attempts: deliveries || 0, lastFailure, letterId };
}
