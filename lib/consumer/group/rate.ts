import type { Redis } from '../../redis/redis.ts';
import { Script } from '../../redis/script.ts';
import { rateKeyOf } from '../redis-keys.ts';

/** Reserved calls to the target. */
export interface Reserved {
  readonly calls: number;
  /** When the first may start, in milliseconds from now. The others follow at the rate. */
  readonly afterMs: number;
}

/** The rate that all runs of a group share. */
export interface Rate {
  /**
   * Reserves the next free calls.
   *
   * @param withinMs by when the last of them must be able to start; if time is short, fewer calls are reserved
   * @returns undefined if not even one call can start in time; then nothing is reserved
   */
  reserve(calls: number, withinMs: number): Promise<Reserved | undefined>;
}

/** Longest reservation ahead: a Lambda's longest life, in milliseconds. A later one comes from a wrong clock. */
const MAX_AHEAD_MS = 900_000;
/** How long Redis keeps an unused rate, in milliseconds. */
const REMEMBERED_MS = 900_000;

/**
 * The generic cell rate algorithm: `due` is when the next call may start, in microseconds since 1970 by Redis' clock.
 * KEYS rate; ARGV calls, calls per second, ms within which the last one must be able to start. Returns the number of
 * reserved calls, and in how many microseconds the first may start.
 */
const reserveScript = new Script(
  `#!lua flags=allow-oom
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local step = 1000000 / tonumber(ARGV[2])
local due = tonumber(redis.call('HGET', KEYS[1], 'due') or nil) or now
if due < now or due > now + ${MAX_AHEAD_MS * 1000} then due = now end
local inTime = math.floor((now + tonumber(ARGV[3]) * 1000 - due) / step) + 1
local calls = math.min(tonumber(ARGV[1]), inTime)
if calls < 1 then return {'0', '0'} end
redis.call('HSET', KEYS[1], 'due', string.format('%.0f', due + calls * step), 'perSecond', ARGV[2])
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', (due - now) / 1000 + ${REMEMBERED_MS}))
return {string.format('%d', calls), string.format('%.0f', due - now)}`,
  (reply) => reply as [string, string],
);

/** The rate of a run; undefined without a limit. */
export function openRate(
  redis: Redis,
  stream: string,
  { group, ratePerSecond }: { group: string; ratePerSecond?: number },
): Rate | undefined {
  return ratePerSecond === undefined ? undefined : new RedisRate(redis, stream, group, ratePerSecond);
}

/** The rate of a group on a real Redis. */
export class RedisRate implements Rate {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #perSecond: number;

  /** @param stream any shard of the run */
  constructor(redis: Redis, stream: string, group: string, perSecond: number) {
    this.#redis = redis;
    this.#key = rateKeyOf(stream, group);
    this.#perSecond = perSecond;
  }

  async reserve(calls: number, withinMs: number): Promise<Reserved | undefined> {
    const words = [calls, this.#perSecond, Math.floor(withinMs)];
    const [reserved, afterUs] = await reserveScript.run(this.#redis, [this.#key], words);
    return reserved === '0' ? undefined : { calls: Number(reserved), afterMs: Number(afterUs) / 1000 };
  }
}
