--[[
Measures and reads streams of one slot for a group. Redis reads all streams or none, so CHECK checks all before the
first is read. Then each stream is measured and read in order, as far as it fits, so that the response contains
everything that was delivered. If a stream fails after others were read, it is left for the next call.

KEYS: stream…
ARGV: those of measure.lua, then group, consumer, NOACK or empty, claim ms or empty, CHECK or empty, number of pending
  entries to look at, and for each stream its watermark, maximum entries (-1: any number) and where to look for
  entries to claim (empty: nowhere)
Reply: for each visited stream its entries, the id before them, where the claim continues and how many pending entries
  it looked at; then the number of finished streams, and the stop
Rights: xclaim xinfo|groups xpending xrange xreadgroup
]]
-- @include ./measure.lua
local group, consumer, noack, claim, check, scan = unpack(ARGV, MEASURED + 1, MEASURED + 6)
local LAST_ID = '18446744073709551615-18446744073709551615'
-- the id after it is how Redis writes >
local BEFORE_LAST_ID = '18446744073709551615-18446744073709551614'
scan = tonumber(scan)

if check ~= '' then
  for _, key in ipairs(KEYS) do redis.call('XPENDING', key, group, '-', '+', 1) end
  if claim ~= '' then -- of a history that claims nothing: does this server know CLAIM?
    local probe = {
      'XREADGROUP', 'GROUP', group, consumer, 'COUNT', 1, 'CLAIM', claim, 'STREAMS', KEYS[1], BEFORE_LAST_ID
    }
    redis.call(unpack(probe))
    redis.call('XINFO', 'GROUPS', KEYS[1]) -- a right that reading needs is missed before anything is claimed
  end
  items = items - #KEYS
  if items < 1 then return {{}, 0, MORE} end
end

local function lastDelivered(key)
  local groups, last = redis.call('XINFO', 'GROUPS', key), nil
  items = items - #groups
  for _, info in ipairs(groups) do
    local fields = {}
    for at = 1, #info, 2 do fields[info[at]] = info[at + 1] end
    if fields.name == group then last = fields['last-delivered-id'] end
  end
  return last or error({err = 'NOGROUP No such consumer group'})
end

local function fitNew(key, after, most)
  local count = 0
  while count ~= most and after ~= LAST_ID do
    if not mayLook() then return count, MORE end
    local entry = redis.call('XRANGE', key, '(' .. after, '+', 'COUNT', 1)[1]
    if not entry then break end
    local stop = admit(entry, claim ~= '' and 60)
    if stop then return count, stop end
    items, count, after = items - 1, count + 1, entry[1]
  end
  return count
end

local function fitPending(key, after, most)
  local wanted = math.max(1, most < 0 and items or math.min(items, most))
  local pending = redis.pcall('XPENDING', key, group, '(' .. after, '+', wanted, consumer)
  local isAfterLastId = pending.err and string.find(pending.err, 'invalid start ID for the interval')
  if isAfterLastId then return 0 end
  if pending.err then error(pending) end
  for count, row in ipairs(pending) do
    local stop = not mayLook() and MORE or admit(find(key, row[1]) or {row[1]})
    if stop then return count - 1, stop end
    items = items - 1
  end
  return #pending, #pending == wanted and wanted ~= most and MORE or nil
end

-- Claims entries that are idle long enough; an entry whose body was deleted stays pending, as with CLAIM.
local function takeOver(key, from, most, result)
  if scan < 1 then return end
  local wanted = math.max(1, math.min(items, scan))
  local pending = redis.call('XPENDING', key, group, from, '+', wanted)
  local ids, known, last, stop = {}, {}, from, nil
  for at, row in ipairs(pending) do
    if #ids == most then break end
    local isIdle = row[3] >= tonumber(claim)
    stop = isIdle and not mayLook() and MORE or nil
    local entry = isIdle and not stop and find(key, row[1])
    if entry then stop = admit(entry, 60) end
    if stop then break end
    if entry then
      ids[#ids + 1] = row[1]
      known[row[1]] = row
    end
    items, scan, last, result[4] = items - 1, scan - 1, '(' .. row[1], at
  end
  if #ids > 0 then
    result[1] = redis.call('XCLAIM', key, group, consumer, 0, unpack(ids))
    for _, entry in ipairs(result[1]) do entry[3], entry[4] = known[entry[1]][3], known[entry[1]][4] end
  end
  local isEnd = result[4] == #pending and (#pending < wanted or scan < 1) or last == '(' .. LAST_ID
  result[3] = isEnd and '' or last
  return stop or not isEnd and #ids ~= most and MORE or nil
end

local function deliver(key, id, count)
  local command = {'XREADGROUP', 'GROUP', group, consumer, 'COUNT', count}
  if noack ~= '' then command[#command + 1] = 'NOACK' end
  for _, word in ipairs({'STREAMS', key, id}) do command[#command + 1] = word end
  local reply = redis.call(unpack(command))
  return reply and reply[1] and reply[1][2] or {}
end

local function readStream(at, key, result)
  local id, most, from = unpack(ARGV, MEASURED + 4 + 3 * at, MEASURED + 6 + 3 * at)
  most = tonumber(most)
  if from ~= '' then
    local stop = takeOver(key, from, most, result)
    if stop then return stop end
    if most > 0 then most = most - #result[1] end
    if most == 0 then return end
  end
  local count, stop
  if id == '>' then
    result[2] = lastDelivered(key)
    count, stop = fitNew(key, result[2], most)
  else
    result[2] = id
    count, stop = fitPending(key, id, most)
  end
  if stop and count == 0 then return stop end
  -- where there is nothing, Redis still notes that the consumer asked
  local entries = deliver(key, id, math.max(count, 1))
  for _, entry in ipairs(entries) do
    if claim ~= '' and id == '>' then entry[3], entry[4] = 0, 0 end
    result[1][#result[1] + 1] = entry
  end
  return stop
end

local results, isRead = {}, false
for at, key in ipairs(KEYS) do
  if at > 1 and not mayLook() then return {results, at - 1, MORE} end
  local result = {{}, false, '', 0}
  local isDone, stop = pcall(readStream, at, key, result)
  isRead = isRead or #result[1] > 0
  if not isDone and not isRead then return redis.error_reply(type(stop) == 'table' and stop.err or stop) end
  results[at] = result
  if not isDone then stop = MORE end
  if stop then return {results, at - 1, stop} end
end
return {results, #KEYS, {}}
