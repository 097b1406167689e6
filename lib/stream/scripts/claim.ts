import type { Command } from '../../redis/redis.ts';
import type { Output } from '../../runtime/output.ts';
import { readEntries, type EntryOptions, type StreamEntry } from '../entries.ts';
import { EntryDecoder, lossOf } from '../entry-decoder.ts';
import { oversized } from '../oversized.ts';
import { decodeStop, MEASURE, measureArgs } from './measure.ts';

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

/** The sequence that an id leaves out is 0; as the end of a range it would be the last one. */
const complete = (id: string) => (id.includes('-') ? id : `${id}-0`);

/** Claims entries by their ids, as many as fit; the others stay as they are. */
export function claimCommand(parameters: ClaimParameters, output: Output): Command<StreamEntry[] | string[]> {
  const { key, group, consumer, minIdleMs, ids, idleMs, retryCount, force, justId } = parameters;
  const options = [
    ...(idleMs === undefined ? [] : ['IDLE', String(idleMs)]),
    ...(retryCount === undefined ? [] : ['RETRYCOUNT', String(retryCount)]),
    ...(force ? ['FORCE'] : []),
  ];
  const target = [group, consumer, String(minIdleMs)];
  if (justId) {
    const args = ['XCLAIM', key, ...target, ...ids, ...options, 'JUSTID'];
    return { key, args, decode: (reply) => reply as string[] };
  }
  const words = [...target, force ? 'FORCE' : '', String(options.length), ...options, ...ids.map(complete)];
  return {
    key,
    asBytes: true,
    args: ['EVAL', CLAIM, '1', key, ...measureArgs(parameters, output.travel, output.left), ...words],
    decode(reply) {
      const [claimed, stop] = reply as [never, never];
      return decodeClaimed(claimed, stop, parameters);
    },
  };
}

/** Claims what has been pending long enough, as much as fits; the others stay as they are. */
export function autoclaimCommand(parameters: AutoclaimParameters, output: Output): Command<Autoclaimed> {
  const { key, group, consumer, minIdleMs, start, count, justId } = parameters;
  const words = [group, consumer, String(minIdleMs), start];
  if (justId) {
    const args = ['XAUTOCLAIM', key, ...words, 'COUNT', String(count), 'JUSTID'];
    return {
      key,
      asBytes: true,
      args,
      decode: (reply) => decodeAutoclaimed(reply, (ids) => (ids as Buffer[]).map(String)),
    };
  }
  return {
    key,
    asBytes: true,
    args: [
      'EVAL',
      AUTOCLAIM,
      '1',
      key,
      ...measureArgs(parameters, output.travel, output.left),
      ...words,
      String(count),
    ],
    decode(reply) {
      const stop = (reply as never[])[3]!;
      return decodeAutoclaimed(reply, (entries) => decodeClaimed(entries, stop, parameters));
    },
  };
}

function decodeAutoclaimed(reply: unknown, decode: (entries: never) => Autoclaimed['entries']): Autoclaimed {
  const [next, entries, deleted] = reply as [Buffer, never, Buffer[] | undefined];
  const decoded = decode(entries);
  return { next: String(next), entries: decoded, deletedIds: (deleted ?? []).map(String) };
}

function decodeClaimed(entries: never, stop: never, options: EntryOptions): StreamEntry[] {
  const claimed = readEntries(entries);
  const reason = decodeStop(stop);
  if (reason && claimed.length === 0) {
    throw reason.kind === 'size' ? oversized(reason.id) : lossOf(reason.kind as 'bytes', reason.id, reason.field);
  }
  const decoder = new EntryDecoder(options);
  return claimed.map((entry) => decoder.entry(entry));
}
