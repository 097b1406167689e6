import type { Reply } from '../../redis/redis.ts';
import { ENTRIES_AFTER, Script } from '../../redis/script.ts';

/*
 * Atomic changes of the lease. They may run while the server is out of memory: a lease has a hundred bytes.
 */
const ALLOW_OOM = '#!lua flags=allow-oom\n';
const text = (reply: Reply) => reply as string;

/**
 * The status of a group, and whether a run may work on it; writes nothing. KEYS stream, lease, rest, pause, dead-letter
 * stream; ARGV group. Returns state, pending, lag or nil, ids of the oldest pending and the first unread entry or nil,
 * the length of the stream, and the number of dead letters.
 */
export const lookScript = new Script(
  `#!lua flags=no-writes
${ENTRIES_AFTER}
local groups = redis.pcall('XINFO', 'GROUPS', KEYS[1])
if groups.err and not string.find(groups.err, 'no such key') then return groups end
local taken = redis.call('EXISTS', KEYS[4]) == 1 and 'paused'
  or redis.call('EXISTS', KEYS[2]) == 1 and 'held'
  or redis.call('EXISTS', KEYS[3]) == 1 and 'resting'
local length, letters = redis.call('XLEN', KEYS[1]), redis.call('XLEN', KEYS[5])
for _, group in ipairs(groups) do
  local info = {}
  for at = 1, #group, 2 do info[group[at]] = group[at + 1] end
  if info.name == ARGV[1] then
    local unread = entriesAfter(KEYS[1], info['last-delivered-id'], 1)[1]
    local oldest = info.pending > 0 and redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1)[1][1]
    local state = taken or (unread or oldest) and 'work' or 'idle'
    return {state, info.pending, info.lag or false, oldest, unread and unread[1] or false, length, letters}
  end
end
return {taken or 'missing', 0, 0, false, false, length, letters}`,
  (reply) => reply as [string, string, string | null, string | null, string | null, string, string],
);

/** Maximum entries, and bytes of them, that a run reads first, before it knows their size. */
const FIRST_READ = 20;
const FIRST_BYTES = 256 * 1024;

/**
 * KEYS lease, fence, rest, pause, wake, state, superseded, stream; ARGV token, lease ms, group, start id. Returns the
 * result, the breaker's level, whether any key has a dead letter, whether the group exists, and how many entries the
 * first read may ask for. An entry that the last run tried alone when it died has crashed it. The lease is set last: if
 * the server refuses anything, there is none.
 */
export const acquireScript = new Script(
  `${ALLOW_OOM}${ENTRIES_AFTER}
if redis.call('EXISTS', KEYS[4]) == 1 then return {'paused'} end
if redis.call('EXISTS', KEYS[3]) == 1 then return {'resting'} end
if redis.call('GET', KEYS[1]) then return {'held'} end -- the release needs this right, too
local groups = redis.pcall('XINFO', 'GROUPS', KEYS[8])
if groups.err and not string.find(groups.err, 'no such key') then return groups end
redis.call('PEXPIRE', KEYS[2], ARGV[2]) -- of nothing yet: without this right the fence would never expire
redis.call('XGROUP', 'CREATE', KEYS[2], ARGV[3], '$', 'MKSTREAM')
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('DEL', KEYS[5])
local alone = redis.call('HGET', KEYS[6], 'alone')
if alone then
  redis.call('HDEL', KEYS[6], 'alone', 'alone-by')
  redis.call('HINCRBY', KEYS[6], 'c:' .. alone, 1)
end
local hasGroup, after = '0', ARGV[4]
for _, group in ipairs(groups) do
  local info = {}
  for at = 1, #group, 2 do info[group[at]] = group[at + 1] end
  if info.name == ARGV[3] then hasGroup, after = '1', info['last-delivered-id'] end
end
local first, bytes = 0, 0
while after ~= '$' and first < ${FIRST_READ} do
  local entry = entriesAfter(KEYS[8], after, 1)[1]
  if not entry then break end
  for _, text in ipairs(entry[2]) do bytes = bytes + #text end
  if bytes > ${FIRST_BYTES} then break end
  first, after = first + 1, entry[1]
end
local level = redis.call('HGET', KEYS[6], 'level') or '0'
local acquired = {'acquired', level, tostring(redis.call('EXISTS', KEYS[7])), hasGroup, tostring(math.max(1, first))}
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return acquired`,
  (reply) => reply as [string, string, string, string, string],
);

/** KEYS lease, fence, pause; ARGV token, lease ms. */
export const renewScript = new Script(
  `${ALLOW_OOM}
if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('EXISTS', KEYS[2]) == 0 then return 'lost' end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return redis.call('EXISTS', KEYS[3]) == 1 and 'paused' or 'renewed'`,
  text,
);

/**
 * Gives the lease back; if drained, only if nothing is unread. Looks for an entry after the last delivered one instead
 * of comparing ids, because the tail may have been deleted. KEYS lease, fence, rest, stream; ARGV token, rest ms,
 * group, whether drained.
 */
export const releaseScript = new Script(
  `${ALLOW_OOM}${ENTRIES_AFTER}
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  redis.call('DEL', KEYS[2])
  return 'lost'
end
local isUnread = false
for _, group in ipairs(redis.pcall('XINFO', 'GROUPS', KEYS[4])) do
  local info = {}
  for at = 1, #group, 2 do info[group[at]] = group[at + 1] end
  if info.name == ARGV[3] then
    isUnread = #entriesAfter(KEYS[4], info['last-delivered-id'], 1) > 0
  end
end
if isUnread and ARGV[4] == 'drained' then return 'unread' end
redis.call('DEL', KEYS[1], KEYS[2])
if ARGV[2] ~= '0' then redis.call('SET', KEYS[3], '', 'PX', ARGV[2]) end
return isUnread and 'released-unread' or 'released'`,
  text,
);

/** Keeps other runs from a group whose lease nobody holds. KEYS lease, rest; ARGV rest ms. */
export const restScript = new Script(
  `${ALLOW_OOM}
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('SET', KEYS[2], '', 'PX', ARGV[1]) end
return 'ok'`,
  text,
);
