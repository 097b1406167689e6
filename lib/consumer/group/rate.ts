import type { Redis } from '../../redis/redis.ts';
import { Script } from '../../redis/script.ts';
import { rateKeyOf } from '../redis-keys.ts';
import reserve from './scripts/reserve.lua';

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

const reserveScript = new Script(reserve, (reply) => reply as [string, string]);

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
