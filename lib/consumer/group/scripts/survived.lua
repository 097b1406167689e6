#!lua flags=allow-oom
--[[
A run that lost its lease during an isolated attempt did not crash: removes its mark, or the crash that another run has
counted for it.

KEYS: state
ARGV: token, id
Reply: `ok`
Rights: hdel hexists hget hincrby
]]
local crashes = 'c:' .. ARGV[2]
if redis.call('HGET', KEYS[1], 'alone-by') == ARGV[1] then
  redis.call('HDEL', KEYS[1], 'alone', 'alone-by')
elseif redis.call('HEXISTS', KEYS[1], crashes) == 1 and redis.call('HINCRBY', KEYS[1], crashes, -1) <= 0 then
  redis.call('HDEL', KEYS[1], crashes)
end
return 'ok'
