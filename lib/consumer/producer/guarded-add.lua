#!lua
--[[
Adds entries, all or none, unless the call was made before or the group is too far behind. A lag that the server does
not know refuses nothing.

KEYS: stream, remembered call
ARGV: ms to remember (0: do not), digest of the entries, highest lag (empty: any), group, and per entry the number of
  its words and the words
Reply: `added` with the ids, `known` with the ids of the first call, `other` if that call had other entries, or `lag`
  with the lag
Rights: exists get set xadd xinfo|groups xlen
]]
local stream, remembered = KEYS[1], KEYS[2]
local rememberMs, digest, maxLag, group = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]

if rememberMs ~= '0' then
  local call = redis.call('GET', remembered)
  if call then
    local ids = {}
    for word in string.gmatch(call, '%S+') do ids[#ids + 1] = word end
    if table.remove(ids, 1) ~= digest then return {'other'} end
    return {'known', unpack(ids)}
  end
  redis.call('SET', remembered, '', 'XX') -- does nothing: a missing right shows before the first XADD
end

if maxLag and redis.call('EXISTS', stream) == 1 then
  local lag = redis.call('XLEN', stream)
  for _, info in ipairs(redis.call('XINFO', 'GROUPS', stream)) do
    local fields = {}
    for index = 1, #info, 2 do fields[info[index]] = info[index + 1] end
    if fields.name == group then lag = fields.lag or 0 end
  end
  if lag > maxLag then return {'lag', tostring(lag)} end
end

local ids, index = {}, 5
while ARGV[index] do
  local words = tonumber(ARGV[index])
  ids[#ids + 1] = redis.call('XADD', stream, '*', unpack(ARGV, index + 1, index + words))
  index = index + 1 + words
end
if rememberMs ~= '0' then
  redis.call('SET', remembered, digest .. ' ' .. table.concat(ids, ' '), 'PX', rememberMs)
end
return {'added', unpack(ids)}
