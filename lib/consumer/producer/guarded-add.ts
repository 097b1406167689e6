import { createHash } from 'node:crypto';
import { refuse } from '../../contract/connector.ts';
import { ConnectorError } from '../../core/errors.ts';
import type { Redis } from '../../redis/redis.ts';
import { readList } from '../../redis/reply-shapes.ts';
import { script } from '../../redis/script.ts';
import { fieldArgs, type Fields } from '../../stream/entries.ts';
import { idempotencyKeyOf } from '../redis-keys.ts';

/** What an enqueue asks of the server before it adds. */
export interface Guards {
  /** A repeated call with this key, within `idempotencyMs`, adds nothing and gets the first ids. */
  readonly idempotencyKey?: string;
  readonly idempotencyMs: number;
  /** Adds only while the group has at most this many unread entries. */
  readonly maxLag?: number;
  /** The group of that lag. */
  readonly group: string;
}

/**
 * KEYS stream, remembered call. ARGV: milliseconds to remember (0: do not), digest of the entries, highest lag ('': any),
 * group, and per entry the number of its words and the words.
 *
 * Replies `added` with the ids, `known` with the ids of the first call, `other` if that call had other entries, or `lag`
 * with the lag. A lag that the server does not know refuses nothing.
 */
const GUARDED_ADD = `#!lua
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
    for at = 1, #info, 2 do fields[info[at]] = info[at + 1] end
    if fields.name == group then lag = fields.lag or 0 end
  end
  if lag > maxLag then return {'lag', tostring(lag)} end
end

local ids, at = {}, 5
while ARGV[at] do
  local words = tonumber(ARGV[at])
  ids[#ids + 1] = redis.call('XADD', stream, '*', unpack(ARGV, at + 1, at + words))
  at = at + 1 + words
end
if rememberMs ~= '0' then
  redis.call('SET', remembered, digest .. ' ' .. table.concat(ids, ' '), 'PX', rememberMs)
end
return {'added', unpack(ids)}`;

const guardedAdd = script(GUARDED_ADD, (reply) => readList(reply).map(String));

/** How long a caller waits that was told to wait for the consumer, in milliseconds. */
const RETRY_AFTER_MS = 5000;

/** Whether adding needs the script; a plain XADD is faster. */
export const isGuarded = ({ idempotencyKey, maxLag }: Guards): boolean =>
  idempotencyKey !== undefined || maxLag !== undefined;

/**
 * Adds entries to a stream, all or none, if nothing guards against it.
 *
 * @returns the ids, of the first call with this key if there was one
 * @throws {ConnectorError} `STREAM:COMMAND` 429 while the consumer is too far behind; `MDM:CLIENT_ERROR` if the key was
 *   used with other entries
 */
export async function addGuarded(
  redis: Redis,
  stream: string,
  entries: readonly Fields[],
  guards: Guards,
): Promise<string[]> {
  const { idempotencyKey, idempotencyMs, maxLag, group } = guards;
  const words = entries.map((fields) => fieldArgs(fields).map(String));
  const remembered = idempotencyKeyOf(stream, hashOf(idempotencyKey ?? ''));
  const args = [
    idempotencyKey === undefined ? 0 : idempotencyMs,
    hashOf(JSON.stringify(entries.map(withoutTrace))),
    maxLag ?? '',
    group,
    ...words.flatMap((entry) => [entry.length, ...entry]),
  ];
  const [result, ...values] = await redis.send(guardedAdd([stream, remembered], args));
  if (result === 'lag') throw consumerBehind(values[0]!, maxLag!);
  if (result === 'other') {
    throw refuse('mdm', [{ pointer: '/idempotencyKey', message: 'was used for other records a short time ago' }]);
  }
  return values;
}

/** The trace differs from call to call. */
function withoutTrace(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith('_')));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

function consumerBehind(lag: string, maxLag: number): ConnectorError {
  const detail = `The consumer is behind: ${lag} entries of this shard are unread, and ingest.maxLag is ${maxLag}`;
  return new ConnectorError('STREAM:COMMAND', detail, { status: 429, retryAfterMs: RETRY_AFTER_MS });
}
