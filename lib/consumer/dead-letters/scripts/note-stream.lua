--[[
Function: notes that a dead-letter stream may hold letters, before any other note is written.

Rights: exists hget hset
]]
local function noteStream(notes, name)
  local noted = redis.call('HGET', notes, 'streams')
  local streams = noted and cjson.decode(noted) or redis.call('EXISTS', notes) == 1 and {''} or {}
  for _, known in ipairs(streams) do if known == name then return end end
  streams[#streams + 1] = name
  redis.call('HSET', notes, 'streams', cjson.encode(streams))
end
