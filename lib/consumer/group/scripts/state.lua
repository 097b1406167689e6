--[[
The bounds of the state of a group.

Rights: none
]]
-- life of the state after the last failure, and its maximum fields; losing it only restarts counts
local STATE_MS, MAX_STATE = 7 * 24 * 3600 * 1000, 10000
