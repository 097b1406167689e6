--[[
Begins a script that delivers entries. `MEASURED` is the number of its arguments, `items` how many items the script may
still look at. Each entry is read separately, because its size is unknown and the next one may be larger than all
before.

- `mayLook()` returns whether the script may look at another entry.
- `inspect(entry)` returns the maximum bytes of an entry in the response (40 per entry and 12 per pair are the
  punctuation of the longest form), and its fault: kind and field.
- `admit(entry, extra)` returns why the script must stop before this entry, or reserves its place in the response.

ARGV: those of `measureArgs`, …
Rights: xrange
]]
local MEASURED = 7
local unique, utf8, nested, left, expected = ARGV[1] ~= '', ARGV[2] ~= '', ARGV[3] == 'text', tonumber(ARGV[4]), ARGV[5]
local items, bytes, looked = tonumber(ARGV[6]), tonumber(ARGV[7]), 0
local MORE = {'more', '', '', 0}

-- Anchored complements and cjson scan a text ten times as fast as a search for a class.
local function isAscii(text)
  local _, last = string.find(text, '^[^\128-\255]*')
  return last == #text
end

local SEQUENCES = {'[\194-\223][\128-\191]', '[\225-\236\238\239][\128-\191][\128-\191]', '\224[\160-\191][\128-\191]',
  '\237[\128-\159][\128-\191]', '\240[\144-\191][\128-\191][\128-\191]', '[\241-\243][\128-\191][\128-\191][\128-\191]',
  '\244[\128-\143][\128-\191][\128-\191]'}
local function isBroken(text)
  for _, sequence in ipairs(SEQUENCES) do
    if isAscii(text) then return false end
    text = string.gsub(text, sequence, ' ')
  end
  return not isAscii(text)
end

local function weigh(text)
  if not utf8 then return math.ceil(#text / 3) * 4 end
  local json = cjson.encode(text)
  return nested and #cjson.encode(json) or #json
end

local function inspect(entry)
  local size, names, fields = 40 + #entry[1], {}, entry[2] or {}
  for at = 1, #fields, 2 do
    local name, value = fields[at], fields[at + 1]
    if unique and names[name] then return size, 'repeated', name end
    if utf8 and (isBroken(name) or isBroken(value)) then return size, 'bytes', name end
    names[name] = true
    size = size + 12 + weigh(name) + weigh(value)
  end
  return size
end

local function mayLook() return looked == 0 or items > 0 and bytes > 0 end

local function admit(entry, extra)
  local length = 0
  for _, text in ipairs(entry[2] or {}) do length = length + #text end
  if looked > 0 and length > bytes then return MORE end -- it is the first one next time
  looked, bytes = looked + 1, bytes - length
  if expected ~= '' and entry[1] ~= expected then return {'changed', entry[1], '', 0} end
  expected = ''
  local size, fault, field = inspect(entry)
  size = size + (extra or 0)
  if fault then return {fault, entry[1], field, 0} end
  if size > left then return {'size', entry[1], '', size} end
  left = left - size
end

local function find(key, id) return redis.call('XRANGE', key, id, id)[1] end
