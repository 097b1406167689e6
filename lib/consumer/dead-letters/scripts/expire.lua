#!lua
--[[
Deletes a group's letters over an age, by the server's clock, as many as one script may look at.

KEYS: dead letters
ARGV: age in ms, from, stream, group, 1 if letters without an origin are the group's, else 0
Reply: whether there are no more, the id of the last one that it looked at, and how many it deleted
Rights: time xdel
]]
-- @include ./listing.lua
-- @include ./forwards.lua
local time = redis.call('TIME')
local before = math.floor(tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000 - tonumber(ARGV[1]))
if before < 0 then return {1, '', 0} end
local last, ids = '', {}
local function isOurs(named, meant) return named == meant or (named == '' and ARGV[5] == '1') end
local old = forwards(KEYS[1], string.format('%.0f', before))
local isLast = eachEntry(old, ARGV[2], PORTION_ENTRIES, PORTION_BYTES, function(letter)
  last = letter[1]
  local values = valuesOf(letter[2])
  local stream, group = values['dl-stream'] or '', values['dl-group'] or ''
  if isOurs(stream, ARGV[3]) and isOurs(group, ARGV[4]) then ids[#ids + 1] = last end
end)
local deleted = #ids > 0 and redis.call('XDEL', KEYS[1], unpack(ids)) or 0
return {isLast and 1 or 0, last, deleted}
