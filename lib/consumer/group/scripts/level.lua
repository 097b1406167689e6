#!lua flags=allow-oom
--[[
Writes the breaker's level.

KEYS: lease, state
ARGV: token, level
Reply: a number without meaning
Rights: hdel hset pexpire
]]
-- @include ./require-lease.lua
-- @include ./state.lua
if ARGV[2] == '0' then return redis.call('HDEL', KEYS[2], 'level') end
redis.call('HSET', KEYS[2], 'level', ARGV[2])
return redis.call('PEXPIRE', KEYS[2], STATE_MS)
