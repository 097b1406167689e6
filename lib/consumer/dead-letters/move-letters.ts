import type { Command, Reply } from '../../redis/redis.ts';
import { AGE, decodeListed, FIELD, type Listed } from './listing.ts';
import { ENTRIES_AFTER, script } from '../../redis/script.ts';

/** Redis' Lua passes no more values than this to one command. */
const MAX_VALUES = 7900;

/**
 * KEYS stream, dead letters, notes; ARGV a JSON object: see `MoveInput`. Puts letters back whose key has no later
 * entry, among those that came after the ones the caller knows, or in the notes. Once no letter is left, the notes
 * serve nothing more. Returns the last id it looked at; what came, as `WAITING` lists it; and for each letter its
 * outcome and its new id. A refused XADD ends it: what was moved before is reported, else the refusal.
 */
const MOVE = `#!lua
${FIELD}
${AGE}
${ENTRIES_AFTER}
local input = cjson.decode(ARGV[1])
local function padded(id)
  local time, sequence = string.match(id, '^(%d+)-(%d+)$')
  return time and string.rep('0', 20 - #time) .. time .. string.rep('0', 20 - #sequence) .. sequence or ''
end
local later = {}
local function keyOf(fields)
  local values = {}
  for at, name in ipairs(input.keyFields) do values[at] = valueOf(fields, name) end
  local key = table.concat(values, '\\0')
  return (input.isKeyNoted or string.find(key, '%Z')) and key or nil
end
local function note(key, age) if key and age > (later[key] or '') then later[key] = age end end

local came = input.force and {} or entriesAfter(KEYS[1], input.after, input.atMost + 1)
if #came > input.atMost then return {'behind'} end
local last = #came > 0 and came[#came][1] or input.after
for at, entry in ipairs(came) do
  local age = ageOf(KEYS[3], entry[1])
  note(keyOf(entry[2]), padded(age))
  local row = {entry[1], age, bytesOf(entry[2])}
  for _, name in ipairs(input.keyFields) do row[#row + 1] = valueOf(entry[2], name) end
  came[at] = row
end

local function withoutOwn(fields)
  local dropped = {}
  for _, name in ipairs(input.ownFields) do
    for at = #fields - 1, 1, -2 do if fields[at] == name then dropped[at] = true break end end
  end
  local rest = {}
  for at = 1, #fields, 2 do
    if not dropped[at] then rest[#rest + 1] = fields[at]; rest[#rest + 1] = fields[at + 1] end
  end
  return rest
end

local function move(letter)
  local body = redis.call('XRANGE', KEYS[2], letter.id, letter.id)[1]
  if not body then return 'gone' end
  local fields = withoutOwn(body[2])
  if #fields == 0 or #fields > ${MAX_VALUES} then return 'unsendable' end
  local key, age = keyOf(body[2]), padded(letter.age)
  local noted = redis.call('HGET', KEYS[3], letter.note)
  if noted and noted ~= '0-0' then note(key, padded(ageOf(KEYS[3], noted))) end
  if not input.force and key and later[key] and later[key] > age then return 'superseded' end
  note(key, age)
  if input.dryRun then return 'listed' end
  local id = redis.pcall('XADD', KEYS[1], '*', unpack(fields))
  if type(id) == 'table' then return id end
  redis.call('XDEL', KEYS[2], letter.id)
  if not input.force and redis.call('HLEN', KEYS[3]) < input.maxNotes then
    redis.call('HSET', KEYS[3], 'r:' .. id, letter.age)
  end
  last = id
  return 'moved', id
end

local outcomes, moved = {}, false
for at, letter in ipairs(input.letters) do
  local outcome, id = move(letter)
  if type(outcome) == 'table' then
    if not moved then return outcome end
    break
  end
  moved = moved or outcome == 'moved'
  outcomes[at] = {outcome, id or ''}
end
if moved and redis.call('XLEN', KEYS[2]) == 0 then redis.call('DEL', KEYS[3]) end
return {last, came, outcomes}`;

export interface MoveInput {
  /** The caller knows what waits in the stream up to here. */
  after: string;
  /** How much may have come since. */
  atMost: number;
  keyFields: readonly string[];
  /** Whether the consumer noted them; else an entry without any of them has no key that is known. */
  isKeyNoted: boolean;
  /** The fields that are the letter's own. */
  ownFields: readonly string[];
  letters: readonly { id: string; age: string; note: string }[];
  force: boolean;
  dryRun: boolean;
  /** Past so many notes no more are made of letters that went back: they then count as later entries. */
  maxNotes: number;
}

/** `gone`: another redrive was faster; `unsendable`: no fields but its own, or too many for a script. */
export type Outcome = 'moved' | 'listed' | 'superseded' | 'gone' | 'unsendable';

export interface Moved {
  readonly after: string;
  readonly came: readonly Listed[];
  /** One a letter, in order; fewer where the stream refused one. */
  readonly outcomes: readonly { outcome: Outcome; id: string }[];
}

/** Moves letters; null where more came since than the script may look at. */
export function moveCommand(keys: readonly string[], input: MoveInput): Command<Moved | null> {
  return script(MOVE, decodeMoved)(keys, [JSON.stringify(input)]);
}

function decodeMoved(reply: Reply): Moved | null {
  const [after, came, outcomes] = reply as [string, Reply, [Outcome, string][]];
  if (after === 'behind') return null;
  return { after, came: decodeListed(came), outcomes: outcomes.map(([outcome, id]) => ({ outcome, id })) };
}
