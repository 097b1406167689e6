--[[
Function: a group of a stream as a table of the members that XINFO GROUPS has; nil if there is none, and then the error
of a server that refuses to say.

Rights: xinfo|groups
]]
local function groupNamed(name, key)
  local groups = redis.pcall('XINFO', 'GROUPS', key)
  if groups.err and not string.find(groups.err, 'no such key') then return nil, groups end
  for _, group in ipairs(groups) do
    local info = {}
    for index = 1, #group, 2 do info[group[index]] = group[index + 1] end
    if info.name == name then return info end
  end
end
