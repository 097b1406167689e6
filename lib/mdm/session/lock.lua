--[[
Takes a lock that is free, or held by one that is overdue.

KEYS: lock
ARGV: token, ms, token of the overdue holder or empty
Reply: nil, or the holder
Rights: get set
]]
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[3] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false
