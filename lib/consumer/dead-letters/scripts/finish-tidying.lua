#!lua
--[[
Notes how many fields tidying has left, if any.

KEYS: notes
ARGV: the hash's list of dead-letter streams, the new list
Reply: nil
Rights: exists hget hlen hset
]]
if redis.call('EXISTS', KEYS[1]) == 0 or (redis.call('HGET', KEYS[1], 'streams') or '') ~= ARGV[1] then return end
redis.call('HSET', KEYS[1], 'streams', ARGV[2], 'tidied', redis.call('HLEN', KEYS[1]))
