#!lua flags=allow-oom
--[[
Takes a free lease. An isolated attempt that the last run did not finish has crashed it. The lease is set last:
if the server refuses anything, there is none.

KEYS: lease, fence, rest, pause, wake, state, notes, stream, request
ARGV: token, lease ms, group, start id, run
Reply: the result, the breaker's level, whether any key has a dead letter, whether the group exists, how many entries
  the first read may ask for, and their bytes
Rights: del exists get hdel hget hincrby pexpire set xgroup|create
]]
-- @include ./group-named.lua
-- @include ../../../redis/entries-after.lua
-- maximum entries, and bytes of them, that a run reads first, before it knows their size
local FIRST_READ, FIRST_BYTES = 20, 256 * 1024
if redis.call('EXISTS', KEYS[4]) == 1 then return {'paused'} end
if redis.call('EXISTS', KEYS[3]) == 1 then return {'resting'} end
if redis.call('GET', KEYS[1]) then return {'held'} end -- the release needs this right, too
local asked = redis.call('GET', KEYS[9])
if asked and string.match(asked, '^%S+') ~= ARGV[5] then return {'asked'} end
local group, refusal = groupNamed(ARGV[3], KEYS[8])
if refusal then return refusal end
redis.call('PEXPIRE', KEYS[2], ARGV[2]) -- of nothing yet: without this right the fence would never expire
redis.call('XGROUP', 'CREATE', KEYS[2], ARGV[3], '$', 'MKSTREAM')
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('DEL', KEYS[5], KEYS[9])
local isolated = redis.call('HGET', KEYS[6], 'alone')
if isolated then
  redis.call('HINCRBY', KEYS[6], 'c:' .. isolated, 1) -- first: a hash without fields would lose its expiry
  redis.call('HDEL', KEYS[6], 'alone', 'alone-by')
end
local hasGroup, after = '0', ARGV[4]
if group then hasGroup, after = '1', group['last-delivered-id'] end
local first, bytes = 0, 0
while after ~= '$' and first < FIRST_READ do
  local entry = entriesAfter(KEYS[8], after, 1)[1]
  if not entry then break end
  local size = 0
  for _, text in ipairs(entry[2]) do size = size + #text end
  if first > 0 and bytes + size > FIRST_BYTES then break end
  first, bytes, after = first + 1, bytes + size, entry[1]
  if bytes > FIRST_BYTES then break end
end
local level = redis.call('HGET', KEYS[6], 'level') or '0'
local hasLetters = tostring(redis.call('EXISTS', KEYS[7]))
local acquired = {'acquired', level, hasLetters, hasGroup, tostring(math.max(1, first)), tostring(bytes)}
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return acquired
