import type { Command, Reply } from '../../redis/redis.ts';
import { script } from '../../redis/script.ts';
import { decodeListed, FORWARDS, LISTING, type Listed } from './listing.ts';
import { AGE, MAX_NOTES, NOTE_STREAM } from './notes.ts';

/** Maximum values that Redis' Lua passes to one command. */
export const MAX_VALUES = 7900;
/** Maximum new entries that one script looks at. If there are more, it moves nothing. */
const ARRIVALS = { entries: 200, bytes: 64 * 1024 };
/** Maximum letters, and bytes of them, that one script moves. One larger letter moves alone. */
export const BATCH = { letters: 100, bytes: 96 * 1024 };

/**
 * KEYS stream, dead letters, notes, other dead-letter stream…; ARGV a JSON object: see `MoveInput`. Puts letters back
 * whose key has no later entry, neither among the entries that the caller does not know yet nor in the notes. Returns
 * the result; the last id it looked at; the new entries, listed like a portion; for each letter its outcome and its
 * new id; and how many letters are left. A refused XADD ends it: it then reports the letters moved before, or else the
 * refusal.
 *
 * `behind`: there are more new entries than it looks at, and nothing was moved. `full`: there is no room to note the
 * ages of letters that go back. Once the group has no letter left in any stream, its notes are dropped.
 */
const MOVE = `#!lua
${LISTING}
${FORWARDS}
${AGE}
${NOTE_STREAM}
local input = cjson.decode(ARGV[1])
local function padded(id)
  local time, sequence = string.match(id, '^(%d+)-(%d+)$')
  return time and string.rep('0', 20 - #time) .. time .. string.rep('0', 20 - #sequence) .. sequence or ''
end
local later = {}
local function keyOf(fields)
  local values, parts = valuesOf(fields), {}
  for at, name in ipairs(input.keyFields) do parts[at] = values[name] or '' end
  local key = table.concat(parts, '\\0')
  return (input.isKeyNoted or string.find(key, '%Z')) and key or nil
end
local function note(key, age) if key and age > (later[key] or '') then later[key] = age end end
local function lettersLeft()
  local left = redis.call('XLEN', KEYS[2])
  for at = 4, #KEYS do left = left + redis.call('XLEN', KEYS[at]) end
  return left
end

local came, last = {}, input.after
local isKnown = input.force or eachEntry(forwards(KEYS[1]), '(' .. last, ${ARRIVALS.entries}, ${ARRIVALS.bytes}, function(entry)
  local age = ageOf(KEYS[3], entry[1])
  note(keyOf(entry[2]), padded(age))
  came[#came + 1] = rowOf(entry[1], age, entry[2], input.keyFields)
  last = entry[1]
end)
local left = redis.call('XLEN', KEYS[2])
if not isKnown then return {'behind', last, came, {}, left} end
if not input.force and not input.dryRun and redis.call('HLEN', KEYS[3]) - 2 * lettersLeft() >= ${MAX_NOTES} then
  return {'full', last, came, {}, left}
end

if not input.dryRun then -- a missing right shows before the first letter is written
  redis.call('XDEL', KEYS[2], '0-0')
  if not input.force then
    redis.call('HSET', KEYS[3], 'r:', '')
    redis.call('HDEL', KEYS[3], 'r:')
  end
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
  if not input.force then noteStream(KEYS[3], KEYS[2]) end
  local id = redis.pcall('XADD', KEYS[1], '*', unpack(fields))
  if type(id) == 'table' then return id end
  left = left - redis.call('XDEL', KEYS[2], letter.id)
  if not input.force then
    redis.call('HSET', KEYS[3], 'r:' .. id, letter.age)
    redis.call('HDEL', KEYS[3], 'r:' .. letter.sourceId)
  end
  last = id
  return 'moved', id
end

local function areAllNoted()
  local noted, known = redis.call('HGET', KEYS[3], 'streams'), {}
  if not noted or redis.call('HEXISTS', KEYS[3], 'cleared') == 1 then return false end
  for at = 2, #KEYS do known[KEYS[at]] = true end
  for _, name in ipairs(cjson.decode(noted)) do if not known[name] then return false end end
  return true
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
pcall(function() -- if that is refused, the notes stay
  if moved and lettersLeft() == 0 and areAllNoted() then redis.call('DEL', KEYS[3]) end
end)
return {'moved', last, came, outcomes, left}`;

export interface MoveInput {
  /** The caller knows the waiting entries of the stream up to here. */
  after: string;
  keyFields: readonly string[];
  /** Whether the consumer noted them. If not, the key of an entry without any of them is unknown. */
  isKeyNoted: boolean;
  /** The letter's own fields. */
  ownFields: readonly string[];
  letters: readonly { id: string; sourceId: string; age: string; note: string }[];
  force: boolean;
  dryRun: boolean;
}

/** `gone`: another redrive was faster; `unsendable`: only its own fields, or too many for a script. */
export type Outcome = 'moved' | 'listed' | 'superseded' | 'gone' | 'unsendable';

export interface Moved {
  readonly state: 'moved' | 'behind' | 'full';
  readonly after: string;
  readonly came: readonly Listed[];
  /** One per letter, in order; fewer if the stream refused one. */
  readonly outcomes: readonly { outcome: Outcome; id: string }[];
  /** Letters that the dead-letter stream holds now. */
  readonly left: number;
}

const moveScript = script(MOVE, decodeMoved);

export function moveCommand(keys: readonly string[], input: MoveInput): Command<Moved> {
  return moveScript(keys, [JSON.stringify(input)]);
}

function decodeMoved(reply: Reply): Moved {
  const [state, after, came, outcomes, left] = reply as [Moved['state'], string, Reply, [Outcome, string][], string];
  const moved = { state, after, came: decodeListed(came), left: Number(left) };
  return { ...moved, outcomes: outcomes.map(([outcome, id]) => ({ outcome, id })) };
}
