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
if ARGV[2] == '0' then return redis.call('HDEL', KEYS[2], 'level') end
return writeState(KEYS[2], 'level', ARGV[2])
