import type { Redis } from '../../redis/redis.ts';
import { scanHash } from '../../redis/scan-hash.ts';
import { defineScript } from '../../redis/script.ts';
import type { RedisConfig } from '../../config/config.schema.ts';
import { takeOverLetters } from '../dead-letters/former-letters.ts';
import { formerlyMixedWith, leaseKeyOf, stateKeyOf } from '../redis-keys.ts';
import moveFormerState from './scripts/move-former-state.lua';

/*
 * Version 1.0 gave the keys of a stream whose whole name is its hash tag, `{orders}`, the names of those of `orders`.
 * What it left there is taken over. A pause, a rest and the breaker's level are not: whose they are is not known.
 */

/** Fields of the state per script. */
const PORTION = 500;

const moveCommand = defineScript(moveFormerState, String);

/**
 * Whether a run of version 1.0 may work on a stream: its lease is a token alone, of this stream or of the other one.
 */
export async function isHeldByFormer(redis: Redis, stream: string, group: string): Promise<boolean> {
  const former = formerlyMixedWith(stream);
  if (former === undefined) return false;
  const key = leaseKeyOf(former, group);
  const token = await redis.send({ key, args: ['GET', key], decode: (reply) => reply as string | null });
  return token !== null && !token.includes('.');
}

/** The streams from which nothing is left to take over, by configuration. */
const done = new WeakMap<RedisConfig, Set<string>>();

/** Takes over what version 1.0 left of these streams, once per container, as soon as none of its runs works on them. */
export async function takeOverFormerKeys(
  redis: Redis,
  config: RedisConfig,
  { streams, group }: { readonly streams: readonly string[]; readonly group: string },
): Promise<void> {
  const takenOver = done.get(config) ?? new Set();
  done.set(config, takenOver);
  const takeOver = async (stream: string) => {
    const former = formerlyMixedWith(stream);
    const name = `${stream} ${group}`;
    if (former === undefined || takenOver.has(name) || (await isHeldByFormer(redis, stream, group))) return;
    await takeOverLetters(redis, { stream, group });
    await takeOverState(redis, [stream, stateKeyOf(former, group), stateKeyOf(stream, group)], group);
    takenOver.add(name);
  };
  await Promise.all(streams.map(takeOver));
}

async function takeOverState(redis: Redis, keys: readonly [string, string, string], group: string): Promise<void> {
  const [, from] = keys;
  for await (const pairs of scanHash(redis, from, PORTION)) {
    const fields = pairs.filter((name, index) => index % 2 === 0 && /^[ec]:/.test(name));
    if (fields.length > 0) await redis.send(moveCommand(keys, [group, ...fields]));
  }
}
