#!lua flags=allow-oom
--[[
Asks the run that holds the lease for the shard, unless another run does.

KEYS: lease, request
ARGV: run, run and share, ms
Reply: `free` or `asked`
Rights: exists get set
]]
if redis.call('EXISTS', KEYS[1]) == 0 then return 'free' end
local asked = redis.call('GET', KEYS[2])
if asked and string.match(asked, '^%S+') ~= ARGV[1] then return 'asked' end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 'asked'
