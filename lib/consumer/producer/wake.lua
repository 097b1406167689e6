#!lua
--[[
Decides whether a caller wakes the consumer: no run holds the lease, the target does not rest, the group is not paused,
and no caller woke the consumer within a second.

KEYS: wake, lease, rest, pause
Reply: 1 if the caller should wake it, else 0
Rights: exists set
]]
-- how long one wake suppresses others; taking the lease ends that sooner
local WAKE_MS = 1000
if redis.call('EXISTS', KEYS[2], KEYS[3], KEYS[4]) > 0 then return 0 end
return redis.call('SET', KEYS[1], '', 'NX', 'PX', WAKE_MS) and 1 or 0
