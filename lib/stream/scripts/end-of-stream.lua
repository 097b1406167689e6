--[[
Reads the id and the size of the first or the last entry, without its body.

KEYS: stream
ARGV: XRANGE or XREVRANGE, start, end
Reply: id, bytes
Rights: xrange xrevrange
]]
local entry = redis.call(ARGV[1], KEYS[1], ARGV[2], ARGV[3], 'COUNT', 1)[1]
local bytes = 0
for _, text in ipairs(entry[2]) do bytes = bytes + #text end
return {entry[1], bytes}
