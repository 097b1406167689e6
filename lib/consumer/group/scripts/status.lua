#!lua flags=no-writes
--[[
The status of a group, and whether a run may work on it.

KEYS: stream, lease, rest, pause, dead letters, request, notes
ARGV: group
Reply: state, pending, lag or nil, id of the oldest pending and of the first unread entry or nil, length of the stream,
  numbers of dead letters and notes, and lease and request of a shard that is held or asked for
Rights: exists get hlen xinfo|groups xlen xpending
]]
-- @include ../../../redis/entries-after.lua
local groups = redis.pcall('XINFO', 'GROUPS', KEYS[1])
if groups.err and not string.find(groups.err, 'no such key') then return groups end
local lease, asked = redis.call('GET', KEYS[2]), redis.call('GET', KEYS[6])
local blocked = redis.call('EXISTS', KEYS[4]) == 1 and 'paused'
  or lease and 'held'
  or redis.call('EXISTS', KEYS[3]) == 1 and 'resting'
local length, letters, notes = redis.call('XLEN', KEYS[1]), redis.call('XLEN', KEYS[5]), redis.call('HLEN', KEYS[7])
for _, group in ipairs(groups) do
  local info = {}
  for index = 1, #group, 2 do info[group[index]] = group[index + 1] end
  if info.name == ARGV[1] then
    local unread = entriesAfter(KEYS[1], info['last-delivered-id'], 1)[1]
    local oldest = info.pending > 0 and redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1)[1][1]
    local state = blocked or (unread or oldest) and 'work' or 'idle'
    local unreadId = unread and unread[1] or false
    return {state, info.pending, info.lag or false, oldest, unreadId, length, letters, notes, lease, asked}
  end
end
return {blocked or 'missing', 0, 0, false, false, length, letters, notes, lease, asked}
