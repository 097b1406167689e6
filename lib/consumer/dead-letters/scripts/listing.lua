--[[
Functions: `eachEntry` walks a stream with a function that reads the next entry, until the end or until it has seen so
many entries or bytes, and returns whether it reached the end. `valuesOf` maps the fields of an entry, of a repeated
field to the last value. `rowOf` lists an entry: its id, its age, its bytes, and the value of each field.

Rights: none
]]
-- maximum that one script looks at, because it blocks the server; one larger entry may follow
local PORTION_ENTRIES, PORTION_BYTES = 250, 256 * 1024
local function bytesOf(fields)
  local bytes = 0
  for index = 1, #fields do bytes = bytes + #fields[index] end
  return bytes
end
local function eachEntry(read, from, most, mostBytes, take)
  local seen, bytes = 0, 0
  while seen < most and bytes < mostBytes do
    local entry = read(from)
    if not entry then return true end
    local size = bytesOf(entry[2])
    take(entry)
    seen, bytes, from = seen + 1, bytes + size, '(' .. entry[1]
  end
  return false
end
local function valuesOf(fields)
  local values = {}
  for index = 1, #fields, 2 do values[fields[index]] = fields[index + 1] end
  return values
end
local function rowOf(id, age, fields, names)
  local row, values = {id, age, bytesOf(fields)}, valuesOf(fields)
  for index, name in ipairs(names) do row[index + 3] = values[name] or '' end
  return row
end
