#!lua flags=allow-oom
--[[
Acknowledges those of the entries that the stream no longer has, and forgets their failures. The others stay as they
are: a group that was made anew may have delivered them again.

KEYS: lease, stream, state
ARGV: token, group, id…
Reply: how many were deleted
Rights: hdel hget xack xrange
]]
-- @include ./require-lease.lua
local isolated, deleted = redis.call('HGET', KEYS[3], 'alone'), 0
for index = 3, #ARGV do
  local id = ARGV[index]
  if #redis.call('XRANGE', KEYS[2], id, id) == 0 then
    deleted = deleted + 1
    redis.call('XACK', KEYS[2], ARGV[2], id)
    redis.call('HDEL', KEYS[3], 'e:' .. id, 'c:' .. id)
    if isolated == id then redis.call('HDEL', KEYS[3], 'alone', 'alone-by') end
  end
end
return deleted
