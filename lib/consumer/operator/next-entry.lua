#!lua flags=no-writes
--[[
Reads the id of the entry after one. Its body stays on the server.

KEYS: stream
ARGV: id
Reply: the id, or nil
Rights: none
]]
-- @include ../../redis/entries-after.lua
local entry = entriesAfter(KEYS[1], ARGV[1], 1)[1]
return entry and entry[1]
