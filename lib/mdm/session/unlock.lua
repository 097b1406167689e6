--[[
Gives a lock back that this container holds.

KEYS: lock
ARGV: token
Reply: 1 if it held the lock, else 0
Rights: del get
]]
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0
