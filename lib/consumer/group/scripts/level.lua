#!lua flags=allow-oom
--[[
Writes the breaker's level.

KEYS: lease, state
ARGV: token, level
Reply: a number without meaning
Rights: hdel
]]
-- @include ./require-lease.lua
-- @include ./state.lua
-- @include ./write-for.lua
if ARGV[2] == '0' then return redis.call('HDEL', KEYS[2], 'level') end
return writeFor(STATE_MS, KEYS[2], 'level', ARGV[2])
