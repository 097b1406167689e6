#!lua flags=allow-oom
--[[
Withdraws the request of a run that no longer needs the shard.

KEYS: request
ARGV: run
Reply: `ok`
Rights: del get
]]
local asked = redis.call('GET', KEYS[1])
if asked and string.match(asked, '^%S+') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 'ok'
