import type { Command } from '../../redis/redis.ts';
import { readEntries, type EntryOptions, type StreamEntry } from '../entries.ts';
import { EntryDecoder } from '../entry-decoder.ts';
import { decodeStop, MEASURE, type Stop } from './measure.ts';

/** KEYS stream; ARGV of `measureArgs`, then group, consumer, idle ms, `FORCE` or empty, number of further options, options, ids. */
const CLAIM = String.raw`${MEASURE}
local key, group, consumer, idle, force = KEYS[1], unpack(ARGV, MEASURED + 1, MEASURED + 4)
local MAX_IDS = 4000
local known = redis.pcall('XPENDING', key, group)
if known.err then return known end
local options, at = {}, MEASURED + 5
for _ = 1, tonumber(ARGV[at]) do at = at + 1 options[#options + 1] = ARGV[at] end
local ids, stop = {}, nil
while at < #ARGV and not stop do
  at = at + 1
  local id = ARGV[at]
  local found = redis.pcall('XRANGE', key, id, id)
  if found.err then return found end
  if found[1] and (force ~= '' or #redis.call('XPENDING', key, group, 'IDLE', idle, id, id, 1) > 0) then stop = admit(found[1]) end
  if not stop then ids[#ids + 1] = id end
end
local claimed = {}
for first = 1, #ids, MAX_IDS do
  local command = {'XCLAIM', key, group, consumer, idle, unpack(ids, first, math.min(first + MAX_IDS - 1, #ids))}
  for _, word in ipairs(options) do command[#command + 1] = word end
  local entries = redis.pcall(unpack(command))
  if entries.err then return entries end
  for _, entry in ipairs(entries) do if entry then claimed[#claimed + 1] = entry end end
end
return {claimed, stop or {}}`;

/** KEYS stream; ARGV of `measureArgs`, then group, consumer, idle ms, start, count. */
const AUTOCLAIM = String.raw`${MEASURE}
local key, group, consumer, idle, start, count = KEYS[1], unpack(ARGV, MEASURED + 1, MEASURED + 5)
local most = math.min(tonumber(count), 10000)
local pending = redis.pcall('XPENDING', key, group, 'IDLE', idle, start, '+', most)
if pending.err then return pending end
local fitting, stop = 0, nil
for _, item in ipairs(pending) do
  stop = admit(redis.call('XRANGE', key, item[1], item[1])[1] or {item[1]})
  if stop then break end
  fitting = fitting + 1
end
if stop and fitting == 0 then return {false, {}, {}, stop} end
local reply = redis.pcall('XAUTOCLAIM', key, group, consumer, idle, start, 'COUNT', stop and fitting or most)
if reply.err then return reply end
return {reply[1], reply[2], reply[3] or {}, stop or {}}`;

interface ClaimBase extends EntryOptions {
  key: string;
  group: string;
  consumer: string;
  minIdleMs: number | string;
  justId: boolean;
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

export interface Autoclaimed {
  /** Where the next call goes on; `0-0` when all was looked at. */
  next: string;
  entries: StreamEntry[] | string[];
  /** Pending entries whose body had been deleted: they are pending no more. */
  deletedIds: string[];
}

/** What a claim gave, and what was in the way where it gave nothing. */
export interface Claim<T> {
  output: T;
  stop: Stop | undefined;
}

/** The sequence that an id leaves out is 0; as the end of a range it would be the last one. */
const complete = (id: string) => (id.includes('-') ? id : `${id}-0`);

/** Claims entries by their ids, as many as fit; the others stay as they are. `measure` of `measureArgs`. */
export function claimCommand(
  parameters: ClaimParameters,
  measure: readonly string[],
): Command<Claim<StreamEntry[] | string[]>> {
  const { key, group, consumer, minIdleMs, ids, idleMs, retryCount, force, justId } = parameters;
  const options = [
    ...(idleMs === undefined ? [] : ['IDLE', String(idleMs)]),
    ...(retryCount === undefined ? [] : ['RETRYCOUNT', String(retryCount)]),
    ...(force ? ['FORCE'] : []),
  ];
  const target = [group, consumer, String(minIdleMs)];
  if (justId) {
    const args = ['XCLAIM', key, ...target, ...ids, ...options, 'JUSTID'];
    return { key, args, decode: (reply) => ({ output: reply as string[], stop: undefined }) };
  }
  const words = [...target, force ? 'FORCE' : '', String(options.length), ...options, ...ids.map(complete)];
  return {
    key,
    asBytes: true,
    args: ['EVAL', CLAIM, '1', key, ...measure, ...words],
    decode(reply) {
      const [claimed, reason] = reply as [never, never];
      const output = decodeEntries(claimed, parameters);
      return { output, stop: output.length === 0 ? decodeStop(reason) : undefined };
    },
  };
}

/** Claims what has been pending long enough, as much as fits; the others stay as they are. `measure` of `measureArgs`. */
export function autoclaimCommand(
  parameters: AutoclaimParameters,
  measure: readonly string[],
): Command<Claim<Autoclaimed>> {
  const { key, group, consumer, minIdleMs, start, count, justId } = parameters;
  const words = [group, consumer, String(minIdleMs), start];
  const script = ['EVAL', AUTOCLAIM, '1', key, ...measure, ...words, String(count)];
  return {
    key,
    asBytes: true,
    args: justId ? ['XAUTOCLAIM', key, ...words, 'COUNT', String(count), 'JUSTID'] : script,
    decode(reply) {
      const [next, claimed, deleted, reason] = reply as [Buffer | null, never[], Buffer[]?, never?];
      const entries = justId ? claimed.map(String) : decodeEntries(claimed as never, parameters);
      const output = { next: String(next), entries, deletedIds: (deleted ?? []).map(String) };
      return { output, stop: next === null ? decodeStop(reason) : undefined };
    },
  };
}

function decodeEntries(reply: never, options: EntryOptions): StreamEntry[] {
  const decoder = new EntryDecoder(options);
  return readEntries(reply).map((entry) => decoder.entry(entry));
}
