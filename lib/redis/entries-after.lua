--[[
Function: the entries after an id; none after the last possible one.

Rights: xrange
]]
local function entriesAfter(key, id, count)
  if id == '18446744073709551615-18446744073709551615' then return {} end
  return redis.call('XRANGE', key, '(' .. id, '+', 'COUNT', count)
end
