#!lua
--[[
Puts letters back whose key has no later entry, neither among the entries that the caller does not know yet nor in the
notes. A refused XADD ends it: it then reports the letters moved before, or else the refusal. Once the group has no
letter left in any stream, its notes are dropped.

KEYS: stream, dead letters, notes, other dead letters…
ARGV: a JSON object: see `MoveArguments`
Reply: the result, the last id that it looked at, the new entries as rows, for each letter its result and new id, and
  how many letters are left. `behind`: there are more new entries than it looks at, and nothing was moved. `full`:
  there is no room to note the ages of letters that go back
Rights: del hdel hexists hget hlen hset xadd xdel xlen xrange
]]
-- @include ./listing.lua
-- @include ./forwards.lua
-- @include ./age.lua
-- @include ./note-stream.lua
-- @include ./most-values.lua
-- @include ../../../redis/padded.lua
-- maximum new entries, and bytes of them, that it looks at; if there are more, it moves nothing
local ARRIVALS = {entries = 200, bytes = 64 * 1024}
local input = cjson.decode(ARGV[1])
local later = {}
local function keyOf(fields)
  local values, keyValues = valuesOf(fields), {}
  for index, name in ipairs(input.keyFields) do keyValues[index] = values[name] or '' end
  local key = table.concat(keyValues, '\0')
  return (input.isKeyNoted or string.find(key, '%Z')) and key or nil
end
local function note(key, age) if key and age > (later[key] or '') then later[key] = age end end
local function lettersLeft()
  local left = redis.call('XLEN', KEYS[2])
  for index = 4, #KEYS do left = left + redis.call('XLEN', KEYS[index]) end
  return left
end

local arrivals, last = {}, input.after
local unknown = forwards(KEYS[1])
local isKnown = input.force or eachEntry(unknown, '(' .. last, ARRIVALS.entries, ARRIVALS.bytes, function(entry)
  local age = ageOf(KEYS[3], entry[1])
  note(keyOf(entry[2]), padded(age))
  arrivals[#arrivals + 1] = rowOf(entry[1], age, entry[2], input.keyFields)
  last = entry[1]
end)
local left = redis.call('XLEN', KEYS[2])
if not isKnown then return {'behind', last, arrivals, {}, left} end
if not input.force and not input.dryRun and redis.call('HLEN', KEYS[3]) - 2 * lettersLeft() >= input.maxNotes then
  return {'full', last, arrivals, {}, left}
end

if not input.dryRun then -- a missing right shows before the first letter is written
  redis.call('XDEL', KEYS[2], '0-0')
  if not input.force then
    redis.call('HSET', KEYS[3], 'r:', '')
    redis.call('HDEL', KEYS[3], 'r:')
  end
end

local function withoutOwn(fields)
  local dropped = {}
  for _, name in ipairs(input.ownFields) do
    for index = #fields - 1, 1, -2 do if fields[index] == name then dropped[index] = true break end end
  end
  local kept = {}
  for index = 1, #fields, 2 do
    if not dropped[index] then kept[#kept + 1] = fields[index]; kept[#kept + 1] = fields[index + 1] end
  end
  return kept
end

local function move(letter)
  local body = redis.call('XRANGE', KEYS[2], letter.id, letter.id)[1]
  if not body then return 'missing' end
  local fields = withoutOwn(body[2])
  if #fields == 0 or #fields > MOST_VALUES then return 'unsendable' end
  local key, age = keyOf(body[2]), padded(letter.age)
  local noted = redis.call('HGET', KEYS[3], letter.note)
  if noted and noted ~= '0-0' then note(key, padded(ageOf(KEYS[3], noted))) end
  if not input.force and key and later[key] and later[key] > age then return 'superseded' end
  note(key, age)
  if input.dryRun then return 'listed' end
  if not input.force then noteStream(KEYS[3], KEYS[2]) end
  local id = redis.pcall('XADD', KEYS[1], '*', unpack(fields))
  if type(id) == 'table' then return id end
  left = left - redis.call('XDEL', KEYS[2], letter.id)
  if not input.force then
    redis.call('HSET', KEYS[3], 'r:' .. id, letter.age)
    redis.call('HDEL', KEYS[3], 'r:' .. letter.sourceId)
  end
  last = id
  return 'moved', id
end

local function areAllNoted()
  local noted, known = redis.call('HGET', KEYS[3], 'streams'), {}
  if not noted or redis.call('HEXISTS', KEYS[3], 'cleared') == 1 then return false end
  for index = 2, #KEYS do known[KEYS[index]] = true end
  for _, name in ipairs(cjson.decode(noted)) do if not known[name] then return false end end
  return true
end

local results, moved = {}, false
for index, letter in ipairs(input.letters) do
  local result, id = move(letter)
  if type(result) == 'table' then
    if not moved then return result end
    break
  end
  moved = moved or result == 'moved'
  results[index] = {result, id or ''}
end
pcall(function() -- if that is refused, the notes stay
  if moved and lettersLeft() == 0 and areAllNoted() then redis.call('DEL', KEYS[3]) end
end)
return {'moved', last, arrivals, results, left}
