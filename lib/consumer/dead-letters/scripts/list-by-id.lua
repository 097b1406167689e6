#!lua flags=no-writes
--[[
Lists these entries, as many as one script may look at. One whose body was deleted has no age.

KEYS: stream, notes
ARGV: number of ids, id…, key field…
Reply: whether all are listed, and a row for each
Rights: xrange
]]
-- @include ./listing.lua
-- @include ./age.lua
local count = tonumber(ARGV[1])
local names, rows, bytes = {unpack(ARGV, count + 2)}, {}, 0
for index = 1, count do
  local id = ARGV[index + 1]
  local entry = redis.call('XRANGE', KEYS[1], id, id)[1]
  rows[index] = entry and rowOf(id, ageOf(KEYS[2], id), entry[2], names) or rowOf(id, '', {}, names)
  bytes = bytes + rows[index][3]
  if bytes >= PORTION_BYTES then break end
end
return {#rows == count and 1 or 0, rows}
