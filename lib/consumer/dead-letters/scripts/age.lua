--[[
Function: the age of an entry or a letter, which is its first id. A letter that went back keeps it.

Rights: hget
]]
local function ageOf(notes, id) return redis.call('HGET', notes, 'r:' .. id) or id end
