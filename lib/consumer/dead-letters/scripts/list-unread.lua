#!lua flags=no-writes
--[[
Lists unread entries, as many as one script may look at.

KEYS: stream, notes
ARGV: after id, key field…
Reply: whether these were the last, and a row for each
Rights: none
]]
-- @include ./listing.lua
-- @include ./forwards.lua
-- @include ./age.lua
local names, rows = {unpack(ARGV, 2)}, {}
local isLast = eachEntry(forwards(KEYS[1]), '(' .. ARGV[1], PORTION_ENTRIES, PORTION_BYTES, function(entry)
  rows[#rows + 1] = rowOf(entry[1], ageOf(KEYS[2], entry[1]), entry[2], names)
end)
return {isLast and 1 or 0, rows}
