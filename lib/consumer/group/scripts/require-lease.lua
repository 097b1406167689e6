--[[
Ends a script unless the run holds the lease.

KEYS: lease, …
ARGV: token, …
Reply: an error `LEASELOST`
Rights: get
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.error_reply('LEASELOST not held') end
