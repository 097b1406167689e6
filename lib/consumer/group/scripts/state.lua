--[[
The state of a group: its bounds, and how it is written.

Rights: hset pexpire
]]
-- life of the state after the last failure, and its maximum fields; losing it only restarts counts
local STATE_MS, MAX_STATE = 7 * 24 * 3600 * 1000, 10000

-- returns how many of the fields are new
local function writeState(state, ...)
  -- perhaps of nothing yet: without this right the state would never expire
  redis.call('PEXPIRE', state, STATE_MS)
  local added = redis.call('HSET', state, ...)
  redis.call('PEXPIRE', state, STATE_MS)
  return added
end
