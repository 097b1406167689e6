#!lua flags=no-writes
--[[
Lists pending entries with their state, up to a number and a size of bodies.

KEYS: stream, state
ARGV: group, after id, count, bytes, name of a key field…
Reply: whether these were the last, and a row for each: id, idle ms, deliveries, failures, crashes, bytes, value of a
  key field…; only the id if the body was deleted
Rights: hmget xpending xrange
]]
local from = ARGV[2] == '0-0' and '-' or '(' .. ARGV[2]
local isEnd = ARGV[2] == '18446744073709551615-18446744073709551615'
local pending = isEnd and {} or redis.call('XPENDING', KEYS[1], ARGV[1], from, '+', ARGV[3])
if #pending == 0 then return {'1', {}} end
local names, rows, size = {}, {}, 0
for index, row in ipairs(pending) do names[2 * index - 1], names[2 * index] = 'e:' .. row[1], 'c:' .. row[1] end
local state = redis.call('HMGET', KEYS[2], unpack(names))
for index, row in ipairs(pending) do
  local entry = redis.call('XRANGE', KEYS[1], row[1], row[1])[1]
  if entry then
    local bytes, values = 0, {}
    for n = 1, #entry[2], 2 do
      bytes = bytes + #entry[2][n] + #entry[2][n + 1]
      values[entry[2][n]] = entry[2][n + 1]
    end
    rows[index] = {row[1], tostring(row[3]), tostring(row[4]), state[2 * index - 1], state[2 * index], tostring(bytes)}
    for n = 5, #ARGV do rows[index][n + 2] = values[ARGV[n]] or false end
    size = size + bytes
  else
    rows[index] = {row[1]}
  end
  if size > tonumber(ARGV[4]) and index < #pending then return {'0', rows} end
end
return {#pending < tonumber(ARGV[3]) and '1' or '0', rows}
