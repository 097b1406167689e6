#!lua
--[[
Turns entries into dead letters. Copies their fields on the server, byte by byte. Does not acknowledge an entry whose
XADD is refused. A missing right shows before the first XADD.

KEYS: lease, stream, dead letters, state, notes
ARGV: token, group, key fields, then for each letter: hash of the key, id, number of words, name and value of a field…
Reply: for each letter `buried`, `deleted`, `not-pending` or an error
Rights: hdel hget hset hsetnx xack xadd xdel xrange
]]
-- @include ./require-lease.lua
-- @include ../../dead-letters/scripts/note-stream.lua
-- @include ../../dead-letters/scripts/most-values.lua
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
  for word = 1, tonumber(ARGV[index + 2]) do letter[n + word] = ARGV[index + 2 + word] end
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
local index = 4
while ARGV[index] do
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
  index = index + 3 + tonumber(ARGV[index + 2])
end
if #forgotten > 0 then redis.call('HDEL', KEYS[4], unpack(forgotten)) end
return results
