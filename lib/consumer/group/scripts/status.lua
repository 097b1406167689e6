#!lua flags=no-writes
--[[
The status of a group, and whether a run may work on it.

KEYS: stream, lease, rest, pause, dead letters, request, notes
ARGV: group
Reply: state, pending, lag or nil, id of the oldest pending and of the first unread entry or nil, length of the stream,
  numbers of dead letters and notes, and lease and request of a shard that is held or asked for
Rights: exists get hlen xlen xpending
]]
-- @include ./group-named.lua
-- @include ../../../redis/entries-after.lua
local group, refusal = groupNamed(ARGV[1], KEYS[1])
if refusal then return refusal end
local lease, asked = redis.call('GET', KEYS[2]), redis.call('GET', KEYS[6])
local blocked = redis.call('EXISTS', KEYS[4]) == 1 and 'paused'
  or lease and 'held'
  or redis.call('EXISTS', KEYS[3]) == 1 and 'resting'
local length, letters, notes = redis.call('XLEN', KEYS[1]), redis.call('XLEN', KEYS[5]), redis.call('HLEN', KEYS[7])
if not group then return {blocked or 'missing', 0, 0, false, false, length, letters, notes, lease, asked} end
local unread = entriesAfter(KEYS[1], group['last-delivered-id'], 1)[1]
local oldest = group.pending > 0 and redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1)[1][1]
local state = blocked or (unread or oldest) and 'work' or 'idle'
local unreadId = unread and unread[1] or false
return {state, group.pending, group.lag or false, oldest, unreadId, length, letters, notes, lease, asked}
