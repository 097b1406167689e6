#!lua flags=allow-oom
--[[
Gives the lease back; if drained, only if nothing is unread. Looks for an entry after the last delivered one instead of
comparing ids, because the tail may have been deleted.

KEYS: lease, fence, rest, stream
ARGV: token, rest ms, group, `drained` or empty
Reply: `lost`, `unread`, `released-unread` or `released`
Rights: del get set
]]
-- @include ./group-named.lua
-- @include ../../../redis/entries-after.lua
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  redis.call('DEL', KEYS[2])
  return 'lost'
end
local group = groupNamed(ARGV[3], KEYS[4])
local isUnread = group and #entriesAfter(KEYS[4], group['last-delivered-id'], 1) > 0
if isUnread and ARGV[4] == 'drained' then return 'unread' end
redis.call('DEL', KEYS[1], KEYS[2])
if ARGV[2] ~= '0' then redis.call('SET', KEYS[3], '', 'PX', ARGV[2]) end
return isUnread and 'released-unread' or 'released'
