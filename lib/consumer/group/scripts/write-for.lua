--[[
Function: writes fields of a hash that expires after a time in milliseconds. Returns how many of them are new.

Rights: hset pexpire
]]
local function writeFor(ms, key, ...)
  -- first, even of nothing yet: without this right the hash would never expire
  local isNew = redis.call('PEXPIRE', key, ms) == 0
  local added = redis.call('HSET', key, ...)
  if isNew then redis.call('PEXPIRE', key, ms) end
  return added
end
