import type { Command, Reply } from '../redis/redis.ts';

/*
 * What must happen whole or not at all runs as a script. All but the one that writes dead letters may run while the
 * server is out of memory: they free what they can, and the lease they may write is a hundred bytes.
 */
const ALLOW_OOM = '#!lua flags=allow-oom\n';
const UNLESS_HELD = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.error_reply('LEASELOST not held') end\n`;

/** KEYS lease, fence, pause; ARGV token, lease ms, group. */
const ACQUIRE = `${ALLOW_OOM}
if redis.call('EXISTS', KEYS[3]) == 1 then return 'paused' end
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 'held' end
redis.call('XGROUP', 'CREATE', KEYS[2], ARGV[3], '$', 'MKSTREAM')
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 'acquired'`;

/** KEYS lease, fence; ARGV token, lease ms. */
const RENEW = `${ALLOW_OOM}
if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('EXISTS', KEYS[2]) == 0 then return 'lost' end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 'renewed'`;

/** KEYS lease, fence, pause; ARGV token, pause ms. */
const RELEASE = `${ALLOW_OOM}
redis.call('DEL', KEYS[2])
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'lost' end
redis.call('DEL', KEYS[1])
if ARGV[2] ~= '0' then redis.call('SET', KEYS[3], '', 'PX', ARGV[2]) end
return 'released'`;

/** KEYS lease, stream; ARGV token, group, consumer, id… */
const CLAIM = `${ALLOW_OOM}${UNLESS_HELD}
return redis.call('XCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, unpack(ARGV, 4))`;

/** KEYS lease, stream; ARGV token, group, consumer, deliveries, idle ms, id… */
const GIVE_BACK = `${ALLOW_OOM}${UNLESS_HELD}
local claim = {'XCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, unpack(ARGV, 6)}
for _, word in ipairs({'IDLE', ARGV[5], 'RETRYCOUNT', ARGV[4], 'JUSTID'}) do claim[#claim + 1] = word end
return #redis.call(unpack(claim))`;

/**
 * KEYS lease, stream, dead letters; ARGV token, group, id, dl-field, value, … The fields are copied on the server, byte
 * by byte. A refused XADD ends the script before XACK.
 */
const BURY = `#!lua
${UNLESS_HELD}
if #redis.call('XPENDING', KEYS[2], ARGV[2], ARGV[3], ARGV[3], 1) == 0 then return 'gone' end
local entry = redis.call('XRANGE', KEYS[2], ARGV[3], ARGV[3])[1]
if entry then
  local letter = entry[2]
  for at = 4, #ARGV do letter[#letter + 1] = ARGV[at] end
  redis.call('XADD', KEYS[3], '*', unpack(letter))
end
redis.call('XACK', KEYS[2], ARGV[2], ARGV[3])
return entry and 'buried' or 'gone'`;

type Script<T> = (keys: readonly string[], args: readonly (string | number)[]) => Command<T>;

export function script<T>(source: string, decode: (reply: Reply) => T): Script<T> {
  return (keys, args) => ({
    args: ['EVAL', source, String(keys.length), ...keys, ...args.map(String)],
    key: keys[0]!,
    decode,
  });
}

const text = (reply: Reply) => reply as string;

export const acquireScript = script(ACQUIRE, text);
export const renewScript = script(RENEW, text);
export const releaseScript = script(RELEASE, text);
export const claimScript = script(CLAIM, (reply) => reply);
export const giveBackScript = script(GIVE_BACK, text);
export const buryScript = script(BURY, text);
