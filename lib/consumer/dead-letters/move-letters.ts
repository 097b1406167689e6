import type { Command, Reply } from '../../redis/redis.ts';
import { script } from '../../redis/script.ts';
import { decodeListed, FORWARDS, LISTING, type Listed } from './listing.ts';
import { AGE, MAX_NOTES, NOTE_STREAM } from './notes.ts';

/** Redis' Lua passes no more values than this to one command. */
const MAX_VALUES = 7900;
/** What one script looks at of the entries that came meanwhile: where there are more, it moves nothing. */
const ARRIVALS = { entries: 200, bytes: 64 * 1024 };
/** Letters, and bytes of them, that one script moves: it reads and writes them. One larger letter goes alone. */
export const BATCH = { letters: 100, bytes: 96 * 1024 };

/**
 * KEYS stream, dead letters, notes, other dead-letter stream…; ARGV a JSON object: see `MoveInput`. Puts letters back
 * whose key has no later entry, among those that came after the ones the caller knows, or in the notes. Returns what
 * came of it; the last id it looked at; what came, as a portion lists it; and for each letter its outcome and its new
 * id. A refused XADD ends it: what was moved before is reported, else the refusal.
 *
 * `behind`: more came than it looks at, and nothing was moved. `full`: there is no space to note the ages of letters
 * that go back. Once no letter is left in any stream of the group, the notes serve nothing more.
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
if not isKnown then return {'behind', last, came, {}} end
if not input.force and not input.dryRun and redis.call('HLEN', KEYS[3]) - 2 * lettersLeft() >= ${MAX_NOTES} then
  return {'full', last, came, {}}
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
  if not input.force then
    noteStream(KEYS[3], KEYS[2])
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
if moved and lettersLeft() == 0 and areAllNoted() then redis.call('DEL', KEYS[3]) end
return {'moved', last, came, outcomes}`;

export interface MoveInput {
  /** The caller knows what waits in the stream up to here. */
  after: string;
  keyFields: readonly string[];
  /** Whether the consumer noted them; else an entry without any of them has no key that is known. */
  isKeyNoted: boolean;
  /** The fields that are the letter's own. */
  ownFields: readonly string[];
  letters: readonly { id: string; sourceId: string; age: string; note: string }[];
  force: boolean;
  dryRun: boolean;
}

/** `gone`: another redrive was faster; `unsendable`: no fields but its own, or too many for a script. */
export type Outcome = 'moved' | 'listed' | 'superseded' | 'gone' | 'unsendable';

export interface Moved {
  readonly state: 'moved' | 'behind' | 'full';
  readonly after: string;
  readonly came: readonly Listed[];
  /** One a letter, in order; fewer where the stream refused one. */
  readonly outcomes: readonly { outcome: Outcome; id: string }[];
}

const moveScript = script(MOVE, decodeMoved);

export function moveCommand(keys: readonly string[], input: MoveInput): Command<Moved> {
  return moveScript(keys, [JSON.stringify(input)]);
}

function decodeMoved(reply: Reply): Moved {
  const [state, after, came, outcomes] = reply as [Moved['state'], string, Reply, [Outcome, string][]];
  return { state, after, came: decodeListed(came), outcomes: outcomes.map(([outcome, id]) => ({ outcome, id })) };
}
