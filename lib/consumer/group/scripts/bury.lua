#!lua
--[[
Turns entries into dead letters. Copies their fields on the server, byte by byte. Does not acknowledge an entry whose
XADD is refused. A missing right shows before the first XADD.

KEYS: lease, stream, dead letters, state, notes
ARGV: token, group, key fields, how many fields a letter adds, their names…, then for each letter: hash of its key,
  id, value of each field or '' for none…
Reply: for each letter `buried`, `deleted`, `not-pending` or an error
Rights: hdel hget hset hsetnx xack xadd xdel xrange
]]
-- @include ./require-lease.lua
-- @include ../../dead-letters/scripts/note-stream.lua
-- @include ../../dead-letters/scripts/most-values.lua
local NAMES = tonumber(ARGV[4])
local isNoted = false
local function bury(index)
  local id = ARGV[index + 1]
  local entry = redis.call('XRANGE', KEYS[2], id, id)[1]
  if not entry then
    redis.call('XACK', KEYS[2], ARGV[2], id)
    return 'deleted'
  end
  local letter = entry[2]
  local n = #letter
  if n > MOST_VALUES then
    error('The entry has more fields than a script can write: copy it elsewhere, then delete it', 0)
  end
  for at = 1, NAMES do
    local value = ARGV[index + 1 + at]
    if value ~= '' then
      letter[n + 1], letter[n + 2] = ARGV[4 + at], value
      n = n + 2
    end
  end
  if not isNoted then
    redis.call('XACK', KEYS[2], ARGV[2], '0-0')
    redis.call('XDEL', KEYS[3], '0-0')
    redis.call('HDEL', KEYS[4], '')
    noteStream(KEYS[5], KEYS[3])
    redis.call('HSET', KEYS[5], 'keyFields', ARGV[3])
  end
  isNoted = true
  redis.call('HSETNX', KEYS[5], ARGV[index], '0-0')
  local written = redis.call('XADD', KEYS[3], '*', unpack(letter))
  if redis.call('XACK', KEYS[2], ARGV[2], id) == 0 then
    redis.call('XDEL', KEYS[3], written)
    return 'not-pending'
  end
  return 'buried'
end
local results, forgotten = {}, {}
local isolated = redis.call('HGET', KEYS[4], 'alone')
for index = 5 + NAMES, #ARGV, NAMES + 2 do
  local isDone, result = pcall(bury, index)
  if isDone then
    local id = ARGV[index + 1]
    forgotten[#forgotten + 1] = 'e:' .. id
    forgotten[#forgotten + 1] = 'c:' .. id
    if id == isolated then
      forgotten[#forgotten + 1] = 'alone'
      forgotten[#forgotten + 1] = 'alone-by'
    end
  else
    result = redis.error_reply(type(result) == 'table' and result.err or 'ERR ' .. result)
  end
  results[#results + 1] = result
end
if #forgotten > 0 then redis.call('HDEL', KEYS[4], unpack(forgotten)) end
return results
