#!lua
--[[
Removes fields of the notes, unless newer letters may need them.

KEYS: notes, dead letters…
ARGV: the hash's list of dead-letter streams, the last seen letter of each, field…
Reply: `removed`, `another stream` or `another letter`
Rights: hdel hget xrange
]]
if (redis.call('HGET', KEYS[1], 'streams') or '') ~= ARGV[1] then return 'another stream' end
for index = 2, #KEYS do
  if #redis.call('XRANGE', KEYS[index], '(' .. ARGV[index], '+', 'COUNT', 1) > 0 then return 'another letter' end
end
redis.call('HDEL', KEYS[1], unpack(ARGV, #KEYS + 1))
return 'removed'
