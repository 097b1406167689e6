--[[
Function: reads the next entries of a stream, up to `to`, for `eachEntry`; none after the last possible id.

Rights: xrange
]]
local function forwards(key, to)
  return function(from)
    if from == '(18446744073709551615-18446744073709551615' then return end
    return redis.call('XRANGE', key, from, to or '+', 'COUNT', 1)[1]
  end
end
