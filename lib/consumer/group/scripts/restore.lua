#!lua flags=allow-oom
--[[
Makes entries pending that the group has delivered, and that an acknowledgement of an earlier delivery has taken away.

KEYS: lease, stream
ARGV: token, group, consumer, id…
Reply: `ok`
Rights: xclaim
]]
-- @include ./require-lease.lua
local claim = {'XCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, unpack(ARGV, 4)}
for _, word in ipairs({'FORCE', 'JUSTID'}) do claim[#claim + 1] = word end
redis.call(unpack(claim))
return 'ok'
