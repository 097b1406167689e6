#!lua flags=allow-oom
--[[
Claims entries. Remembers the one of an isolated attempt, and the run that makes it.

KEYS: lease, stream, state
ARGV: token, group, consumer, `isolated` or `together`, id…
Reply: the entries that have a body
Rights: xclaim
]]
-- @include ./require-lease.lua
-- @include ./state.lua
-- @include ./write-for.lua
local entries = redis.call('XCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, unpack(ARGV, 5))
if ARGV[4] == 'isolated' and #entries > 0 then
  writeFor(STATE_MS, KEYS[3], 'alone', ARGV[5], 'alone-by', ARGV[1])
end
return entries
