#!lua flags=allow-oom
--[[
Notes entries whose key has a dead letter, and acknowledges them.

KEYS: stream, notes
ARGV: group, then pairs: id, hash of the key
Reply: `ok`
Rights: hexists hset xack
]]
for index = 2, #ARGV, 2 do
  local id, hash = ARGV[index], ARGV[index + 1]
  if redis.call('HEXISTS', KEYS[2], hash) == 1 then redis.call('HSET', KEYS[2], hash, id) end
  redis.call('XACK', KEYS[1], ARGV[1], id)
end
return 'ok'
