#!lua flags=allow-oom
--[[
Renews the lease.

KEYS: lease, fence, pause, request
ARGV: token, lease ms
Reply: the result, and who asks for the shard
Rights: exists get pexpire
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('EXISTS', KEYS[2]) == 0 then return {'lost'} end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return {redis.call('EXISTS', KEYS[3]) == 1 and 'paused' or 'renewed', redis.call('GET', KEYS[4])}
