--[[
How many values of an entry a script writes.

Rights: none
]]
-- Redis' Lua passes fewer than 8,000 values to a command, and a letter has some of its own
local MOST_VALUES = 7900
