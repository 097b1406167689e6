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
local ids, others, taken, visited, stop = {}, {}, 0, 0, nil
for _, row in ipairs(pending) do
  local isIdle = row[3] >= tonumber(idle)
  stop = isIdle and not mayLook() and MORE or nil
  local entry = isIdle and not stop and taken < most and find(key, row[1])
  if entry then stop = admit(entry) end
  if stop or taken == most then
    next = row[1]
    break
  end
  local list = entry and ids or others
  list[#list + 1] = row[1]
  taken, visited = taken + (isIdle and 1 or 0), visited + 1
end
local entries, deleted = {}, {}
if #ids > 0 then entries = redis.call('XCLAIM', key, group, consumer, 0, unpack(ids)) end
if #ids == 0 and not stop then
  redis.call('XCLAIM', key, group, consumer, idle, '0-0', 'JUSTID') -- no entry has this id
end
if #others > 0 then
  -- drops the deleted ones, and says nothing of them
  redis.call('XCLAIM', key, group, consumer, NEVER, unpack(others))
  local known = {}
  for _, row in ipairs(redis.call('XPENDING', key, group, others[1], others[#others], visited)) do
    known[row[1]] = true
  end
  for _, id in ipairs(others) do if not known[id] then deleted[#deleted + 1] = id end end
end
return {next, entries, deleted, visited, stop or {}}
