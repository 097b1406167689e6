#!lua
--[[
Moves a group's letters from the dead-letter stream of an older version, with their ids where these are later than all
others.

KEYS: former dead letters, dead letters
ARGV: from, stream, group, 1 to move or 0 only to count
Reply: whether there are no more, the last id that it looked at, and how many letters are the group's
Rights: xadd xdel
]]
-- @include ./listing.lua
-- @include ./forwards.lua
local last, ours = '', {}
local isLast = eachEntry(forwards(KEYS[1]), ARGV[1], PORTION_ENTRIES, PORTION_BYTES, function(letter)
  last = letter[1]
  local values = valuesOf(letter[2])
  if values['dl-stream'] ~= ARGV[2] or values['dl-group'] ~= ARGV[3] then return end
  ours[#ours + 1] = last
  if ARGV[4] == '0' then return end
  local added = redis.pcall('XADD', KEYS[2], last, unpack(letter[2]))
  if added.err then redis.call('XADD', KEYS[2], '*', unpack(letter[2])) end
end)
if ARGV[4] == '1' and #ours > 0 then redis.call('XDEL', KEYS[1], unpack(ours)) end
return {isLast and 1 or 0, last, #ours}
