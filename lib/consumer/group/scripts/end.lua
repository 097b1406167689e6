#!lua flags=allow-oom
--[[
Writes the results of attempts whose entries stay pending, and the causes of failures.

KEYS: lease, stream, state
ARGV: token, group, consumer, then pairs: id, failures; or the field of a cause, cause
Reply: `full` if there was no room for all, else `ok`; and the ids that are not pending
Rights: hdel hexists hlen xclaim
]]
-- @include ./require-lease.lua
-- @include ./state.lua
-- @include ./write-for.lua
redis.call('HDEL', KEYS[3], 'alone', 'alone-by')
local free, missing = MAX_STATE - redis.call('HLEN', KEYS[3]), {}
for index = 4, #ARGV, 2 do
  local field, value = ARGV[index], ARGV[index + 1]
  if string.sub(field, 1, 2) == 'f:' then
    -- at once: where the group is gone, XCLAIM ends the script
    writeFor(STATE_MS, KEYS[3], field, value)
  elseif #redis.call('XCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, field, 'RETRYCOUNT', 0, 'JUSTID') == 0 then
    missing[#missing + 1] = field
  elseif free > 0 or redis.call('HEXISTS', KEYS[3], 'e:' .. field) == 1 then
    free = free - writeFor(STATE_MS, KEYS[3], 'e:' .. field, value)
  end
end
return {free > 0 and 'ok' or 'full', missing}
