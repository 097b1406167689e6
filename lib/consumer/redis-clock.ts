import type { Log } from '../core/log.ts';
import { isUnavailable } from '../redis/acl.ts';
import type { Redis } from '../redis/redis.ts';
import { systemClock, type Clock } from './clock.ts';

/** Clocks may differ by this much, in milliseconds, before anything warns. */
export const CLOCK_TOLERANCE_MS = 5_000;

/**
 * How far the clock of this process is ahead of that of the server, in milliseconds.
 *
 * @throws {ConnectorError} `STREAM:*`
 */
export async function measureAhead(redis: Redis, key: string): Promise<number> {
  return aheadOf(await readOrigin(redis, key));
}

/**
 * The server's time when the monotonic clock of this process was 0, in milliseconds since 1970. The other clock of this
 * process has no part in it: somebody may set that one meanwhile.
 */
async function readOrigin(redis: Redis, key: string): Promise<number> {
  const before = systemClock.now();
  const [seconds, micros] = await redis.send({ key, args: ['TIME'], decode: (reply) => reply as [string, string] });
  return Number(seconds) * 1000 + Number(micros) / 1000 - (before + systemClock.now()) / 2;
}

const aheadOf = (origin: number) => systemClock.epochMs() - systemClock.now() - origin;

/** The clock of a server. */
export interface RedisClock extends Clock {
  /**
   * How far the clock of this process is ahead of it, in milliseconds; null if they agree, or the server does not tell.
   */
  readonly aheadMs: number | null;
}

/**
 * The clock of the server, by which the ids of entries, due times and ages are measured: the clocks of containers
 * differ. A difference of more than 5 s is a warning.
 *
 * @param key of the server
 */
export async function openClock(redis: Redis, key: string, log?: Pick<Log, 'warn'>): Promise<RedisClock> {
  const origin = await readOrigin(redis, key).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    log?.warn('the clock of Redis is unknown, so ages are measured by that of this function', {
      detail: error.message,
    });
    return systemClock.epochMs() - systemClock.now();
  });
  const aheadMs = aheadOf(origin);
  const differs = Math.abs(aheadMs) > CLOCK_TOLERANCE_MS;
  if (differs) log?.warn('the clocks of this function and of Redis differ', { aheadMs: Math.round(aheadMs) });
  const epochMs = () => Math.round(origin + systemClock.now());
  return { ...systemClock, epochMs, aheadMs: differs ? Math.round(aheadMs) : null };
}

/**
 * The same, of the server that has the first of several keys; on a cluster where its node is out of reach, of that of
 * another.
 */
export async function openAnyClock(
  redis: Redis,
  [first, ...others]: readonly string[],
  log?: Pick<Log, 'warn'>,
): Promise<{ key: string; clock: RedisClock }> {
  const open = async (key: string) => ({ key, clock: await openClock(redis, key, log) });
  const elsewhere = others.filter((key) => redis.slotOf(key) !== redis.slotOf(first!)); // none outside a cluster
  return open(first!).catch((error: unknown) => {
    return Promise.any(elsewhere.map(open)).catch(() => {
      throw error;
    });
  });
}
