#!lua flags=no-writes
--[[
Counts dead letters by reason, as many as one script may look at. Bodies stay on the server.

KEYS: dead letters
ARGV: before
Reply: whether these were the first letters, the id of the first one that it looked at, their number, and for each
  shard, group, type and reason these and a count
Rights: xrevrange
]]
-- @include ./listing.lua
local seen, first, rows, counts = 0, '', {}, {}
local function backwards(before) return redis.call('XREVRANGE', KEYS[1], before, '-', 'COUNT', 1)[1] end
local isLast = eachEntry(backwards, ARGV[1], PORTION_ENTRIES, PORTION_BYTES, function(letter)
  local own = {['dl-stream'] = '', ['dl-group'] = '', ['dl-error-type'] = '', ['dl-reason'] = ''}
  for index = 1, #letter[2], 2 do
    if own[letter[2][index]] then own[letter[2][index]] = string.sub(letter[2][index + 1], 1, 1000) end
  end
  local row = {own['dl-stream'], own['dl-group'], own['dl-error-type'], own['dl-reason']}
  local name = table.concat(row, '\n')
  if not counts[name] then
    counts[name] = 0
    rows[#rows + 1] = row
  end
  counts[name] = counts[name] + 1
  seen, first = seen + 1, letter[1]
end)
for _, row in ipairs(rows) do row[5] = counts[table.concat(row, '\n')] end
return {isLast and 1 or 0, first, seen, rows}
