import { LAST_POSSIBLE_ID } from '../../core/entry-id.ts';
import type { ConnectorError } from '../../core/errors.ts';
import { mapRedisError } from '../../redis/errors.ts';
import { NAMES_OF } from '../dead-letters/letter.ts';
import { NOTE_STREAM } from '../dead-letters/notes.ts';
import { decodeEntries } from '../entry.ts';
import type { Buried } from './group.ts';
import { Script } from '../../redis/script.ts';

/*
 * Atomic changes of a group's entries. All scripts but the one that writes dead letters may run while the server is out
 * of memory: they free memory, and write little.
 */
const ALLOW_OOM = '#!lua flags=allow-oom\n';
const UNLESS_HELD = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.error_reply('LEASELOST not held') end\n`;
/** Life of the state after the last failure, and its maximum fields. Losing it only restarts counts. */
const STATE_MS = 7 * 24 * 3_600_000;
const MAX_STATE = 10_000;

/**
 * Lists pending entries with their state, up to a number and a size of bodies. KEYS stream, state; ARGV group, after
 * id, count, bytes, name of a key field… Returns whether these were the last, and a row for each: id, idle ms,
 * deliveries, failures, crashes, bytes, value of a key field…; only the id if the body was deleted.
 */
export const lookUpScript = new Script(
  `#!lua flags=no-writes
local from = ARGV[2] == '0-0' and '-' or '(' .. ARGV[2]
local isEnd = ARGV[2] == '${LAST_POSSIBLE_ID}'
local pending = isEnd and {} or redis.call('XPENDING', KEYS[1], ARGV[1], from, '+', ARGV[3])
if #pending == 0 then return {'1', {}} end
local names, rows, size = {}, {}, 0
for at, row in ipairs(pending) do names[2 * at - 1], names[2 * at] = 'e:' .. row[1], 'c:' .. row[1] end
local state = redis.call('HMGET', KEYS[2], unpack(names))
for at, row in ipairs(pending) do
  local entry = redis.call('XRANGE', KEYS[1], row[1], row[1])[1]
  if entry then
    local bytes, values = 0, {}
    for n = 1, #entry[2], 2 do
      bytes = bytes + #entry[2][n] + #entry[2][n + 1]
      values[entry[2][n]] = entry[2][n + 1]
    end
    rows[at] = {row[1], tostring(row[3]), tostring(row[4]), state[2 * at - 1], state[2 * at], tostring(bytes)}
    for n = 5, #ARGV do rows[at][n + 2] = values[ARGV[n]] or false end
    size = size + bytes
  else
    rows[at] = {row[1]}
  end
  if size > tonumber(ARGV[4]) and at < #pending then return {'0', rows} end
end
return {#pending < tonumber(ARGV[3]) and '1' or '0', rows}`,
  (reply) => reply as [string, (string | null)[][]],
);

/**
 * KEYS lease, stream, state; ARGV token, group, consumer, whether alone, id… Returns the entries that have a body.
 * Remembers an entry that is tried alone, and by whom.
 */
export const claimScript = new Script(
  `${ALLOW_OOM}${UNLESS_HELD}
local entries = redis.call('XCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, unpack(ARGV, 5))
if ARGV[4] == 'alone' and #entries > 0 then
  redis.call('HSET', KEYS[3], 'alone', ARGV[5], 'alone-by', ARGV[1])
  redis.call('PEXPIRE', KEYS[3], ${STATE_MS})
end
return entries`,
  decodeEntries,
  { asBytes: 'not-utf8' },
);

/** KEYS lease, stream; ARGV token, group, consumer, deliveries, idle ms, id… */
export const giveBackScript = new Script(
  `${ALLOW_OOM}${UNLESS_HELD}
local claim = {'XCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, unpack(ARGV, 6)}
for _, word in ipairs({'IDLE', ARGV[5], 'RETRYCOUNT', ARGV[4], 'JUSTID'}) do claim[#claim + 1] = word end
return #redis.call(unpack(claim))`,
  String,
);

/**
 * Writes the results of attempts whose entries stay pending, and their causes. KEYS lease, stream, state; ARGV token,
 * group, consumer, then pairs: id, failures; or the field of a cause, cause. Returns `full` if there was no room for all.
 */
export const endScript = new Script(
  `${ALLOW_OOM}${UNLESS_HELD}
redis.call('HDEL', KEYS[3], 'alone', 'alone-by')
local free = ${MAX_STATE} - redis.call('HLEN', KEYS[3])
for at = 4, #ARGV, 2 do
  local isCause = string.sub(ARGV[at], 1, 2) == 'f:'
  if isCause then redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1]) end
  local claimed = isCause and {} or redis.call('XCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, ARGV[at], 'RETRYCOUNT', 0, 'JUSTID')
  local name = 'e:' .. ARGV[at]
  if #claimed == 1 and (free > 0 or redis.call('HEXISTS', KEYS[3], name) == 1) then
    free = free - redis.call('HSET', KEYS[3], name, ARGV[at + 1])
  end
end
redis.call('PEXPIRE', KEYS[3], ${STATE_MS})
return free > 0 and 'ok' or 'full'`,
  String,
);

/**
 * Forgets the failures of entries that are not pending. KEYS lease, stream, state; ARGV token, group, field of the
 * state…
 */
export const sweepScript = new Script(
  `${ALLOW_OOM}${UNLESS_HELD}
for at = 3, #ARGV do
  local id = string.sub(ARGV[at], 3)
  if #redis.call('XPENDING', KEYS[2], ARGV[2], id, id, 1) == 0 then redis.call('HDEL', KEYS[3], ARGV[at]) end
end
return 'ok'`,
  String,
);

/**
 * Acknowledges those of the entries that the stream no longer has, and forgets their failures. The others stay as they
 * are: a group that was made anew may have delivered them again. KEYS lease, stream, state; ARGV token, group, id…
 * Returns how many were deleted.
 */
export const forgetScript = new Script(
  `${ALLOW_OOM}${UNLESS_HELD}
local alone, deleted = redis.call('HGET', KEYS[3], 'alone'), 0
for at = 3, #ARGV do
  local id = ARGV[at]
  if #redis.call('XRANGE', KEYS[2], id, id) == 0 then
    deleted = deleted + 1
    redis.call('XACK', KEYS[2], ARGV[2], id)
    redis.call('HDEL', KEYS[3], 'e:' .. id, 'c:' .. id)
    if alone == id then redis.call('HDEL', KEYS[3], 'alone', 'alone-by') end
  end
end
return deleted`,
  Number,
);

/**
 * A run that lost its lease while it tried an entry alone did not crash: removes its mark, or the crash that another
 * run has counted for it. KEYS state; ARGV token, id.
 */
export const survivedScript = new Script(
  `${ALLOW_OOM}
local crashes = 'c:' .. ARGV[2]
if redis.call('HGET', KEYS[1], 'alone-by') == ARGV[1] then
  redis.call('HDEL', KEYS[1], 'alone', 'alone-by')
elseif redis.call('HEXISTS', KEYS[1], crashes) == 1 and redis.call('HINCRBY', KEYS[1], crashes, -1) <= 0 then
  redis.call('HDEL', KEYS[1], crashes)
end
return 'ok'`,
  String,
);

/**
 * Notes entries whose key has a dead letter, and acknowledges them. KEYS stream, superseded; ARGV group, id, key hash,
 * …
 */
export const ackNotedScript = new Script(
  `${ALLOW_OOM}
for at = 2, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[2], ARGV[at + 1]) == 1 then redis.call('HSET', KEYS[2], ARGV[at + 1], ARGV[at]) end
  redis.call('XACK', KEYS[1], ARGV[1], ARGV[at])
end
return 'ok'`,
  String,
);

/** Writes a letter's own fields after the `n` fields of its entry; its values begin after `at`. */
const LETTER_WORDS = [
  ...NAMES_OF.origin.map((name, of) => [name, of === 0 ? 'KEYS[2]' : 'ARGV[2]']),
  ...NAMES_OF.own.map((name, of) => [name, `ARGV[at + ${of + 1}]`]),
]
  .map(([name, value], at) => `letter[n + ${2 * at + 1}], letter[n + ${2 * at + 2}] = '${name}', ${value}`)
  .join('\n  ');

/**
 * KEYS lease, stream, dead letters, state, superseded; ARGV token, group, key fields, then for each letter: key hash
 * and its own values, the id first. Returns for each `buried`, `deleted`, `not-pending` or an error. Copies the fields on
 * the server, byte by byte. Does not acknowledge an entry whose XADD is refused. A missing right shows before the first XADD.
 */
export const buryScript: Script<(Buried | ConnectorError)[]> = new Script(
  `#!lua
${UNLESS_HELD}
${NOTE_STREAM}
local isNoted = false
local function bury(at)
  local id = ARGV[at + 1]
  local entry = redis.call('XRANGE', KEYS[2], id, id)[1]
  if not entry then
    redis.call('XACK', KEYS[2], ARGV[2], id)
    return 'deleted'
  end
  local letter = entry[2]
  local n = #letter
  ${LETTER_WORDS}
  if not isNoted then
    redis.call('XACK', KEYS[2], ARGV[2], '0-0')
    redis.call('XDEL', KEYS[3], '0-0')
    redis.call('HDEL', KEYS[4], '')
    noteStream(KEYS[5], KEYS[3])
    redis.call('HSET', KEYS[5], 'keyFields', ARGV[3])
  end
  isNoted = true
  redis.call('HSETNX', KEYS[5], ARGV[at], '0-0')
  local written = redis.call('XADD', KEYS[3], '*', unpack(letter))
  if redis.call('XACK', KEYS[2], ARGV[2], id) == 0 then
    redis.call('XDEL', KEYS[3], written)
    return 'not-pending'
  end
  return 'buried'
end
local outcomes, forgotten = {}, {}
local alone = redis.call('HGET', KEYS[4], 'alone')
for at = 4, #ARGV, ${NAMES_OF.own.length + 1} do
  local isDone, outcome = pcall(bury, at)
  if isDone then
    local id = ARGV[at + 1]
    forgotten[#forgotten + 1] = 'e:' .. id
    forgotten[#forgotten + 1] = 'c:' .. id
    if id == alone then
      forgotten[#forgotten + 1] = 'alone'
      forgotten[#forgotten + 1] = 'alone-by'
    end
  else
    outcome = redis.error_reply(type(outcome) == 'table' and outcome.err or 'ERR ' .. outcome)
  end
  outcomes[#outcomes + 1] = outcome
end
if #forgotten > 0 then redis.call('HDEL', KEYS[4], unpack(forgotten)) end
return outcomes`,
  (reply) =>
    (reply as unknown[]).map((outcome) =>
      typeof outcome === 'string' ? (outcome as Buried) : mapRedisError(outcome, { script: buryScript.source }),
    ),
);

/** KEYS lease, state; ARGV token, level. */
export const levelScript = new Script(
  `${ALLOW_OOM}${UNLESS_HELD}
if ARGV[2] == '0' then return redis.call('HDEL', KEYS[2], 'level') end
redis.call('HSET', KEYS[2], 'level', ARGV[2])
return redis.call('PEXPIRE', KEYS[2], ${STATE_MS})`,
  String,
);
