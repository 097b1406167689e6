--[[
Claims entries, as many as fit and as one script may look at.

KEYS: stream
ARGV: those of measure.lua, then group, consumer, idle ms, `FORCE` or empty, number of further options, options, ids
Reply: the entries, the number of finished ids, and the stop
Rights: xclaim xpending
]]
-- @include ./measure.lua
local key, group, consumer, idle, force = KEYS[1], unpack(ARGV, MEASURED + 1, MEASURED + 5)
local at = MEASURED + 5
local first = at + tonumber(ARGV[at])
local function claimOf(ids)
  local command = {'XCLAIM', key, group, consumer, idle, unpack(ids)}
  for option = at + 1, first do command[#command + 1] = ARGV[option] end
  return redis.call(unpack(command))
end
local ids, done, stop = {}, 0, nil
for next = first + 1, #ARGV do
  local id = ARGV[next]
  local row = redis.call('XPENDING', key, group, id, id, 1)[1]
  if row and row[3] >= tonumber(idle) or not row and force ~= '' then
    stop = not mayLook() and MORE or nil
    local entry = not stop and find(key, id)
    if entry then stop = admit(entry) end
    if stop then break end
    ids[#ids + 1] = id
  end
  done = done + 1
end
if #ids > 0 then return {claimOf(ids), done, stop or {}} end
if not stop then claimOf({'0-0'}) end -- no entry has this id: are the options ones that Redis takes?
return {{}, done, stop or {}}
