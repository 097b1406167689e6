--[[
Reads only the id of the last entry, which may be large.

KEYS: stream
Reply: the id; 0-0 if the stream is empty
Rights: xrevrange
]]
local entry = redis.pcall('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
if entry.err then return entry end
return entry[1] and entry[1][1] or '0-0'
