#!lua flags=no-writes
--[[
Lists dead letters, as many as one script may look at.

KEYS: dead letters, notes
ARGV: from, to, number of dl- fields, dl- field…, key field…
Reply: whether these were the last, and a row for each
Rights: none
]]
-- @include ./listing.lua
-- @include ./forwards.lua
-- @include ./age.lua
-- maximum bytes of a reported dl- field: another program may have written the letter
local MAX_VALUE_BYTES = 2000
local names, rows = {unpack(ARGV, 4)}, {}
local isLast = eachEntry(forwards(KEYS[1], ARGV[2]), ARGV[1], PORTION_ENTRIES, PORTION_BYTES, function(letter)
  local row = rowOf(letter[1], '', letter[2], names)
  for index = 4, 3 + tonumber(ARGV[3]) do
    if names[index - 3] == 'dl-source-id' then row[2] = ageOf(KEYS[2], string.sub(row[index], 1, 41)) end
    row[index] = string.sub(row[index], 1, MAX_VALUE_BYTES)
  end
  rows[#rows + 1] = row
end)
return {isLast and 1 or 0, rows}
