--[[
Claims entries that are idle long enough, as many as fit. Like XAUTOCLAIM, it drops entries whose body was deleted, idle
or not.

KEYS: stream
ARGV: those of measure.lua, then group, consumer, idle ms, start, maximum entries, number of pending entries to look at
Reply: where to continue, the entries, the deleted ids, how many entries it looked at, and the stop
Rights: xclaim xpending
]]
-- @include ./measure.lua
-- an idle time that no entry reaches, in ms
local NEVER = '9223372036854775807'
local key, group, consumer, idle, start, most, scan = KEYS[1], unpack(ARGV, MEASURED + 1, MEASURED + 6)
most, scan = tonumber(most), math.min(tonumber(scan), items)
local pending = redis.call('XPENDING', key, group, start, '+', scan + 1)
local next = #pending > scan and table.remove(pending)[1] or '0-0'
local ids, deleted, visited, stop = {}, {}, 0, nil

-- XCLAIM drops a pending entry whose body was deleted, and says nothing of it.
local function dropIfDeleted(id)
  redis.call('XCLAIM', key, group, consumer, NEVER, id, 'JUSTID')
  if #redis.call('XPENDING', key, group, id, id, 1) == 0 then deleted[#deleted + 1] = id end
end

for _, row in ipairs(pending) do
  local id, isIdle = row[1], row[3] >= tonumber(idle)
  local isFull = #ids + #deleted == most
  stop = isIdle and not isFull and not mayLook() and MORE or nil
  local entry = isIdle and not stop and not isFull and find(key, id)
  if entry then stop = admit(entry) end
  if stop or isFull then
    next = id
    break
  end
  if entry then ids[#ids + 1] = id else dropIfDeleted(id) end
  visited = visited + 1
end
local entries = {}
if #ids > 0 then entries = redis.call('XCLAIM', key, group, consumer, 0, unpack(ids)) end
if #ids == 0 and not stop then
  redis.call('XCLAIM', key, group, consumer, idle, '0-0', 'JUSTID') -- no entry has this id
end
return {next, entries, deleted, visited, stop or {}}
