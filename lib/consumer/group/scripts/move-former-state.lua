#!lua
--[[
Moves the state of entries that are pending here from the key of an older version.

KEYS: stream, former state, state
ARGV: group, field of an entry…
Reply: `ok`
Rights: hdel hget hsetnx xpending
]]
for index = 2, #ARGV do
  local id = string.sub(ARGV[index], 3)
  local pending = redis.pcall('XPENDING', KEYS[1], ARGV[1], id, id, 1)
  local value = redis.call('HGET', KEYS[2], ARGV[index])
  if value and not pending.err and #pending > 0 then
    redis.call('HSETNX', KEYS[3], ARGV[index], value)
    redis.call('HDEL', KEYS[2], ARGV[index])
  end
end
return 'ok'
