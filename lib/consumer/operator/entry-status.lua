#!lua flags=no-writes
--[[
Reads what a group knows of an entry. Its body stays on the server.

KEYS: stream, state
ARGV: group, id
Reply: whether the stream has the entry, its deliveries if it is pending, and its failures
Rights: hget xpending xrange
]]
local pending = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)
if pending.err and not string.find(pending.err, 'NOGROUP') then return pending end
local entry = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2], 'COUNT', 1)[1]
return {entry and 1 or 0, pending[1] and tostring(pending[1][4]) or false, redis.call('HGET', KEYS[2], 'e:' .. ARGV[2])}
