#!lua flags=allow-oom
--[[
Starts a rest of the target, unless a run holds the lease: no run begins before it ends.

KEYS: lease, rest
ARGV: rest ms
Reply: `ok`
Rights: exists set
]]
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('SET', KEYS[2], '', 'PX', ARGV[1]) end
return 'ok'
