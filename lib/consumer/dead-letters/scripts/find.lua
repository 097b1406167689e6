#!lua flags=no-writes
--[[
Finds the letters of entries. Bodies stay on the server.

KEYS: dead letters
ARGV: from, source id…
Reply: whether these were the last, the id of the last, their number, and for each letter of these entries its id and
  dl- fields
Rights: none
]]
-- @include ./listing.lua
-- @include ./forwards.lua
-- maximum bytes of a reported field
local MAX_BYTES = 500
local wanted, found, last, seen = {}, {}, '', 0
for index = 2, #ARGV do wanted[ARGV[index]] = true end
local names = {'dl-source-id', 'dl-stream', 'dl-group', 'dl-error-type', 'dl-reason', 'dl-deliveries', 'dl-time'}
local isLast = eachEntry(forwards(KEYS[1]), ARGV[1], PORTION_ENTRIES, PORTION_BYTES, function(letter)
  last, seen = letter[1], seen + 1
  local values = valuesOf(letter[2])
  if not wanted[values['dl-source-id'] or ''] then return end
  local row = {letter[1]}
  for index, name in ipairs(names) do row[index + 1] = string.sub(values[name] or '', 1, MAX_BYTES) end
  found[#found + 1] = row
end)
return {isLast and 1 or 0, last, seen, found}
