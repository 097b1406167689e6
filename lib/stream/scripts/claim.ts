import type { Command } from '../../redis/redis.ts';
import { readId, readInteger, readList } from '../../redis/reply-shapes.ts';
import { readEntries, type EntryOptions, type RawEntry } from '../entries.ts';
import { MAX_ENTRY_BYTES } from '../read-range.ts';
import { decodeStop, MEASURE, PORTION_ITEMS, type Stop } from './measure.ts';

/** An idle time that no entry reaches, in milliseconds. */
const NEVER = '9223372036854775807';

/**
 * KEYS stream; ARGV of `measureArgs`, then group, consumer, idle ms, `FORCE` or empty, number of further options,
 * options, and at most as many ids as one script may look at. Returns the entries, the number of finished ids, and the
 * stop.
 */
const CLAIM = String.raw`${MEASURE}
local key, group, consumer, idle, force = KEYS[1], unpack(ARGV, MEASURED + 1, MEASURED + 5)
local at = MEASURED + 5
local first = at + tonumber(ARGV[at])
local function claimOf(ids)
  local command = {'XCLAIM', key, group, consumer, idle, unpack(ids)}
  for option = at + 1, first do command[#command + 1] = ARGV[option] end
  return redis.call(unpack(command))
end
local ids, done, stop = {}, 0, nil
for next = first + 1, #ARGV do
  local id = ARGV[next]
  local row = redis.call('XPENDING', key, group, id, id, 1)[1]
  if row and row[3] >= tonumber(idle) or not row and force ~= '' then
    stop = not mayLook() and MORE or nil
    local entry = not stop and find(key, id)
    if entry then stop = admit(entry) end
    if stop then break end
    ids[#ids + 1] = id
  end
  done = done + 1
end
if #ids > 0 then return {claimOf(ids), done, stop or {}} end
if not stop then claimOf({'0-0'}) end -- no entry has this id: are the options ones that Redis takes?
return {{}, done, stop or {}}`;

/**
 * KEYS stream; ARGV of `measureArgs`, then group, consumer, idle ms, start, maximum entries, number of pending entries
 * to look at. Returns where to continue, the entries, the deleted ids, how many entries it looked at, and the stop.
 * Like XAUTOCLAIM, it drops entries whose body was deleted, idle or not.
 */
const AUTOCLAIM = String.raw`${MEASURE}
local key, group, consumer, idle, start, most, scan = KEYS[1], unpack(ARGV, MEASURED + 1, MEASURED + 6)
most, scan = tonumber(most), math.min(tonumber(scan), items)
local pending = redis.call('XPENDING', key, group, start, '+', scan + 1)
local next = #pending > scan and table.remove(pending)[1] or '0-0'
local ids, others, taken, visited, stop = {}, {}, 0, 0, nil
for _, row in ipairs(pending) do
  local isIdle = row[3] >= tonumber(idle)
  stop = isIdle and not mayLook() and MORE or nil
  local entry = isIdle and not stop and taken < most and find(key, row[1])
  if entry then stop = admit(entry) end
  if stop or taken == most then
    next = row[1]
    break
  end
  local list = entry and ids or others
  list[#list + 1] = row[1]
  taken, visited = taken + (isIdle and 1 or 0), visited + 1
end
local entries, deleted = {}, {}
if #ids > 0 then entries = redis.call('XCLAIM', key, group, consumer, 0, unpack(ids)) end
if #ids == 0 and not stop then redis.call('XCLAIM', key, group, consumer, idle, '0-0', 'JUSTID') end -- no entry has this id
if #others > 0 then
  redis.call('XCLAIM', key, group, consumer, '${NEVER}', unpack(others)) -- drops the deleted ones, and says nothing of them
  local known = {}
  for _, row in ipairs(redis.call('XPENDING', key, group, others[1], others[#others], visited)) do known[row[1]] = true end
  for _, id in ipairs(others) do if not known[id] then deleted[#deleted + 1] = id end end
end
return {next, entries, deleted, visited, stop or {}}`;

interface ClaimBase extends EntryOptions {
  key: string;
  group: string;
  consumer: string;
  minIdleMs: number | string;
}

export interface ClaimParameters extends ClaimBase {
  ids: readonly string[];
  idleMs?: number | string;
  retryCount?: number | string;
  force: boolean;
}

export interface AutoclaimParameters extends ClaimBase {
  start: string;
  count: number | string;
}

interface ClaimPortion {
  entries: RawEntry[];
  stop: Stop | undefined;
}

/** A missing sequence is 0; as the end of a range it would be the last one. */
const complete = (id: string) => (id.includes('-') ? id : `${id}-0`);

const optionsOf = ({ idleMs, retryCount, force }: ClaimParameters) => [
  ...(idleMs === undefined ? [] : ['IDLE', String(idleMs)]),
  ...(retryCount === undefined ? [] : ['RETRYCOUNT', String(retryCount)]),
  ...(force ? ['FORCE'] : []),
];

/**
 * Claims the first of these ids, as many as fit and as one script may look at. The others stay unchanged. `measure`
 * comes from `measureArgs`.
 */
export function claimCommand(
  parameters: ClaimParameters,
  measure: readonly string[],
): Command<ClaimPortion & { done: number }> {
  const { key, group, consumer, minIdleMs, ids, force } = parameters;
  const options = optionsOf(parameters);
  const portion = ids.slice(0, PORTION_ITEMS).map(complete);
  const words = [group, consumer, String(minIdleMs), force ? 'FORCE' : '', String(options.length), ...options];
  return {
    ...scriptCommand(key, CLAIM, [...measure, ...words, ...portion]),
    decode(reply) {
      const [entries, done, stop] = readList(reply);
      return { entries: readEntries(entries), done: readInteger(done), stop: decodeStop(stop) };
    },
  };
}

/** Claims entries without their bodies (XCLAIM JUSTID). */
export function claimIdsCommand(parameters: ClaimParameters): Command<string[]> {
  const { key, group, consumer, minIdleMs, ids } = parameters;
  const args = ['XCLAIM', key, group, consumer, String(minIdleMs), ...ids, ...optionsOf(parameters), 'JUSTID'];
  return { key, args, decode: (reply) => readList(reply).map(readId) };
}

/**
 * Claims entries that have been pending long enough, as many as fit and as one script may look at. The others stay
 * unchanged.
 *
 * @param scan number of pending entries to look at
 * @param measure from `measureArgs`
 */
export function autoclaimCommand(
  parameters: AutoclaimParameters,
  scan: number,
  measure: readonly string[],
): Command<ClaimPortion & { next: string; deletedIds: string[]; visited: number }> {
  const { key, group, consumer, minIdleMs, start, count } = parameters;
  const words = [group, consumer, String(minIdleMs), start, String(count), String(scan)];
  return {
    ...scriptCommand(key, AUTOCLAIM, [...measure, ...words]),
    decode(reply) {
      const [next, entries, deleted, visited, stop] = readList(reply);
      return {
        next: readId(next),
        entries: readEntries(entries),
        deletedIds: readList(deleted).map(readId),
        visited: readInteger(visited),
        stop: decodeStop(stop),
      };
    },
  };
}

/** Claims entries without their bodies (XAUTOCLAIM JUSTID). */
export function autoclaimIdsCommand({
  key,
  group,
  consumer,
  minIdleMs,
  start,
  count,
}: AutoclaimParameters): Command<Autoclaimed<string>> {
  const args = ['XAUTOCLAIM', key, group, consumer, String(minIdleMs), start, 'COUNT', String(count), 'JUSTID'];
  return {
    key,
    args,
    decode(reply) {
      const [next, entries, deleted] = readList(reply);
      return {
        next: readId(next),
        entries: readList(entries).map(readId),
        deletedIds: readList(deleted).map(readId),
      };
    },
  };
}

export interface Autoclaimed<T> {
  /** Where the next call continues; `0-0` at the end. */
  next: string;
  entries: T[];
  /** Pending entries whose body was deleted. They are no longer pending. */
  deletedIds: string[];
}

function scriptCommand(key: string, script: string, words: readonly string[]) {
  return {
    key,
    asBytes: true,
    maxReplyBytes: MAX_ENTRY_BYTES.gzip,
    script,
    args: ['EVAL', script, '1', key, ...words],
  };
}
