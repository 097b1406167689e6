#!lua flags=allow-oom
--[[
Deletes entries that every group of a stream has processed, as many as one script may: those before the oldest pending
or unread entry of any group. The oldest of a group may be either, because an operator may have set the group back.
Without the consumer's group it deletes none: an operator may be about to make the group anew.

KEYS: stream
ARGV: group
Reply: whether these were the last, and how many
Rights: xinfo|groups xpending xtrim
]]
-- @include ../../../redis/entries-after.lua
-- @include ../../../redis/padded.lua
-- maximum entries to delete in whole nodes of the stream; those of a last node follow
local MOST = 800
local hasGroup, needed = false, nil
local function need(entry)
  if entry and (not needed or padded(entry[1]) < padded(needed)) then needed = entry[1] end
end
for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local info = {}
  for index = 1, #group, 2 do info[group[index]] = group[index + 1] end
  hasGroup = hasGroup or info.name == ARGV[1]
  need(entriesAfter(KEYS[1], info['last-delivered-id'], 1)[1])
  if info.pending > 0 then need(redis.call('XPENDING', KEYS[1], info.name, '-', '+', 1)[1]) end
end
if not hasGroup then return {1, 0} end
local upTo = needed and {'MINID', needed} or {'MAXLEN', 0}
local deleted = redis.call('XTRIM', KEYS[1], upTo[1], '~', upTo[2], 'LIMIT', MOST)
if deleted > 0 then return {0, deleted} end
return {1, redis.call('XTRIM', KEYS[1], upTo[1], upTo[2])}
