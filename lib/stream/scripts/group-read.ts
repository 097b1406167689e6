import type { Command } from '../../redis/redis.ts';
import { readEntries, type RawEntry } from '../entries.ts';
import { MAX_ENTRY_BYTES } from '../read-range.ts';
import { decodeStop, MEASURE, type Stop } from './measure.ts';

/**
 * KEYS streams of one slot; ARGV of `measureArgs`, then group, consumer, NOACK or empty, claim ms or empty, and for each
 * stream its watermark and how many entries at most (-1: any number).
 *
 * Redis reads all streams or none, so all are looked at before the first is read. Then each is measured and read, in
 * their order, up to what fits: nothing that was delivered is left out of the response.
 */
const GROUP_READ = String.raw`${MEASURE}
local group, consumer, noack, claim = unpack(ARGV, MEASURED + 1, MEASURED + 4)
local MAX_CLAIMS, MAX_IDLE = 1000, '9223372036854775807'
local LAST_ID = '18446744073709551615-18446744073709551614' -- the one after it is how Redis writes >

for _, key in ipairs(KEYS) do
  local pending = redis.pcall('XPENDING', key, group)
  if pending.err then return pending end
  local probe = {'XREADGROUP', 'GROUP', group, consumer, 'COUNT', 1, 'CLAIM', MAX_IDLE, 'STREAMS', key, LAST_ID}
  local refused = claim ~= '' and redis.pcall(unpack(probe)) -- reads nothing: does this server know CLAIM?
  if refused and refused.err then return refused end
end

local function lastDelivered(key)
  for _, info in ipairs(redis.call('XINFO', 'GROUPS', key)) do
    local fields = {}
    for at = 1, #info, 2 do fields[info[at]] = info[at + 1] end
    if fields.name == group then return fields['last-delivered-id'] end
  end
end

local function nextNew(key, after, count)
  local entries = redis.pcall('XRANGE', key, '(' .. after, '+', 'COUNT', count)
  return entries.err and {} or entries -- nothing comes after the last possible id
end

local function nextPending(key, after, count)
  local pending = redis.pcall('XPENDING', key, group, '(' .. after, '+', count, consumer)
  if pending.err then return string.find(pending.err, 'interval') and {} or pending end
  local entries = {}
  for at, item in ipairs(pending) do entries[at] = redis.call('XRANGE', key, item[1], item[1])[1] or {item[1]} end
  return entries
end

local function fit(key, after, most, nextEntries)
  local count = 0
  while count ~= most do
    local wanted = chunkOf(most < 0 and math.huge or most - count)
    local entries = nextEntries(key, after, wanted)
    if entries.err then return 0, entries end
    for _, entry in ipairs(entries) do
      local stop = admit(entry)
      if stop then return count, stop end
      count, after = count + 1, entry[1]
    end
    if #entries < wanted then break end
  end
  return count
end

-- Redis claims in an order of its own, so that many are taken as fit if they are the largest.
local function fitClaims(key, most)
  local limit = most < 0 and MAX_CLAIMS or math.min(most, MAX_CLAIMS)
  local pending = redis.call('XPENDING', key, group, 'IDLE', claim, '-', '+', limit)
  local sizes = {}
  for _, item in ipairs(pending) do
    local entry = redis.call('XRANGE', key, item[1], item[1])[1] or {item[1]}
    local size, fault, field = inspect(entry)
    size = size + 60
    if fault then return 0, {fault, item[1], field, 0} end
    if size > left then return 0, {'size', item[1], '', size} end
    sizes[#sizes + 1] = size
  end
  table.sort(sizes, function(a, b) return a > b end)
  for count, size in ipairs(sizes) do
    if size > left then return count - 1, {} end
    left = left - size
  end
  return #sizes, #sizes == MAX_CLAIMS and {} or nil
end

local function read(key, count, id)
  local command = {'XREADGROUP', 'GROUP', group, consumer, 'COUNT', count}
  if claim ~= '' and id == '>' then command[#command + 1] = 'CLAIM' command[#command + 1] = claim end
  if noack ~= '' then command[#command + 1] = 'NOACK' end
  for _, word in ipairs({'STREAMS', key, id}) do command[#command + 1] = word end
  local reply = redis.pcall(unpack(command))
  if reply and reply.err then return reply end
  return reply and reply[1] and reply[1][2] or {}
end

local results, stop = {}, nil
for at, key in ipairs(KEYS) do
  local id, most = ARGV[MEASURED + 3 + 2 * at], tonumber(ARGV[MEASURED + 4 + 2 * at])
  local isNew = id == '>'
  local last = isNew and lastDelivered(key) or id
  local claims, count = 0, 0
  if isNew and claim ~= '' then
    claims, stop = fitClaims(key, most)
  end
  if not stop and claims ~= most then
    count, stop = fit(key, last, most < 0 and -1 or most - claims, isNew and nextNew or nextPending)
    if stop and stop.err then return stop end
  end
  local entries = {}
  if claims + count > 0 then entries = read(key, claims + count, id) end
  if entries.err then
    if at == 1 then return entries end
    break
  end
  results[at] = {entries, last}
  if stop then break end
end
return {results, stop or {}}`;

/** One stream of a group read. */
export interface GroupWatermark {
  key: string;
  id: string;
  /** Most entries; -1 is no limit. */
  most: number;
}

export interface GroupRead {
  watermarks: readonly GroupWatermark[];
  group: string;
  consumer: string;
  noack?: boolean;
  claimMinIdleMs?: number | string;
  /** From `measureArgs`. */
  measure: readonly string[];
  /** Whether texts are read as bytes. Default: as text, where it is UTF-8. */
  asBytes?: boolean;
}

/** What a group read gave: for each stream that was looked at, its entries and the id that they come after. */
export interface GroupReadResult {
  streams: { entries: RawEntry[]; after: string }[];
  stop: Stop | undefined;
}

/** Measures and reads streams of one slot, in one step. */
export function groupReadScript(read: GroupRead): Command<GroupReadResult> {
  const { watermarks, group, consumer, noack, claimMinIdleMs = '', measure } = read;
  const keys = watermarks.map(({ key }) => key);
  const options = [...measure, group, consumer, noack ? 'NOACK' : '', String(claimMinIdleMs)];
  const places = watermarks.flatMap(({ id, most }) => [id, String(most)]);
  return {
    key: keys[0]!,
    asBytes: read.asBytes,
    maxReplyBytes: MAX_ENTRY_BYTES,
    needs: claimMinIdleMs === '' ? undefined : { since: 'Redis 8.4', command: 'XREADGROUP', option: 'CLAIM' },
    args: ['EVAL', GROUP_READ, String(keys.length), ...keys, ...options, ...places],
    decode(reply) {
      const [streams, stop] = reply as [[never, string | Buffer][], never];
      return {
        streams: streams.map(([entries, after]) => ({ entries: readEntries(entries), after: String(after) })),
        stop: decodeStop(stop),
      };
    },
  };
}
