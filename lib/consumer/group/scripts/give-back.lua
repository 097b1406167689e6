#!lua flags=allow-oom
--[[
Gives entries back to the group as if they had waited for a time.

KEYS: lease, stream
ARGV: token, group, consumer, deliveries, idle ms, id…
Reply: the ids that are not pending: XCLAIM drops an entry that the stream no longer has
Rights: xclaim
]]
-- @include ./require-lease.lua
local claim = {'XCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, unpack(ARGV, 6)}
for _, word in ipairs({'IDLE', ARGV[5], 'RETRYCOUNT', ARGV[4], 'JUSTID'}) do claim[#claim + 1] = word end
local isClaimed, missing = {}, {}
for _, id in ipairs(redis.call(unpack(claim))) do isClaimed[id] = true end
for index = 6, #ARGV do if not isClaimed[ARGV[index]] then missing[#missing + 1] = ARGV[index] end end
return missing
