#!lua flags=allow-oom
--[[
Gives the lease back; if drained, only if nothing is unread. Looks for an entry after the last delivered one instead of
comparing ids, because the tail may have been deleted.

KEYS: lease, fence, rest, stream
ARGV: token, rest ms, group, `drained` or empty
Reply: `lost`, `unread`, `released-unread` or `released`
Rights: del get set xinfo|groups
]]
-- @include ../../../redis/entries-after.lua
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  redis.call('DEL', KEYS[2])
  return 'lost'
end
local isUnread = false
for _, group in ipairs(redis.pcall('XINFO', 'GROUPS', KEYS[4])) do
  local info = {}
  for index = 1, #group, 2 do info[group[index]] = group[index + 1] end
  if info.name == ARGV[3] then
    isUnread = #entriesAfter(KEYS[4], info['last-delivered-id'], 1) > 0
  end
end
if isUnread and ARGV[4] == 'drained' then return 'unread' end
redis.call('DEL', KEYS[1], KEYS[2])
if ARGV[2] ~= '0' then redis.call('SET', KEYS[3], '', 'PX', ARGV[2]) end
return isUnread and 'released-unread' or 'released'
