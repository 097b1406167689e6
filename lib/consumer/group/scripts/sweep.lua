#!lua flags=allow-oom
--[[
Forgets the failures of entries that are not pending.

KEYS: lease, stream, state
ARGV: token, group, field of the state…
Reply: `ok`
Rights: hdel xpending
]]
-- @include ./require-lease.lua
for index = 3, #ARGV do
  local id = string.sub(ARGV[index], 3)
  if #redis.call('XPENDING', KEYS[2], ARGV[2], id, id, 1) == 0 then redis.call('HDEL', KEYS[3], ARGV[index]) end
end
return 'ok'
