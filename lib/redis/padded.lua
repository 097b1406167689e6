--[[
Function: an id in a form that compares as text; empty if it is none.

Rights: none
]]
local function padded(id)
  local time, sequence = string.match(id, '^(%d+)-(%d+)$')
  return time and string.rep('0', 20 - #time) .. time .. string.rep('0', 20 - #sequence) .. sequence or ''
end
