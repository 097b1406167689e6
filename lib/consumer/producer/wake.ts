import type { Redis } from '../../redis/redis.ts';
import type { IngestConfig } from '../../config/config.schema.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { consumerInvoker } from '../invoke-consumer.ts';
import { leaseKeyOf, pauseKeyOf, restKeyOf, wakeKeyOf } from '../redis-keys.ts';
import { defineScript } from '../../redis/script.ts';
import wake from './wake.lua';

/** How long a woken run waits for more entries, in milliseconds. */
const LINGER_MS = 1000;

const wakeScript = defineScript(wake, (reply) => reply === '1');

export interface WakeOptions {
  /** The shards that have new entries. */
  streams: readonly string[];
  ingest: IngestConfig;
  invocation: Invocation;
}

/**
 * Writes entries to shards, and wakes the consumer. The check whether to wake it travels with the entries.
 *
 * @param write sends its commands before it returns its promise
 */
export async function writeAndWake<T>(redis: Redis, options: WakeOptions, write: () => Promise<T>): Promise<T> {
  const written = write();
  await wakeConsumer(redis, options, written);
  return written;
}

/**
 * Invokes the consumer if it is idle: no run holds a lease, it neither rests nor is paused, and it was not woken within
 * a second. Failures are only logged, because the schedule processes the entries anyway.
 *
 * @param written resolves when the entries are written
 */
export async function wakeConsumer(
  redis: Redis,
  { streams, ingest, invocation }: WakeOptions,
  written: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  const invokeConsumer = ingest.wake ? consumerInvoker(1) : undefined; // the next enqueue tries again
  if (!invokeConsumer) return;
  const { log, deadline, configRef } = invocation;
  const [keys] = await Promise.all([claimWakes(redis, streams, ingest.group, invocation), written.catch(() => {})]);
  if (keys.length === 0) return;
  try {
    await invokeConsumer({ configRef, lingerMs: LINGER_MS }, deadline);
  } catch (error) {
    log.warn('consumer not woken', { error });
    await forget(redis, keys).catch((error: unknown) => log.warn('wake not taken back', { error }));
  }
}

/** The wake keys that this caller set: where there are any, it is to invoke the consumer. */
export async function claimWakes(
  redis: Redis,
  streams: readonly string[],
  group: string,
  { log }: Pick<Invocation, 'log'>,
): Promise<string[]> {
  const claims = streams.map(async (stream) => {
    const [wake, lease, rest, pause] = [wakeKeyOf, leaseKeyOf, restKeyOf, pauseKeyOf].map((keyOf) =>
      keyOf(stream, group),
    );
    const isWon = await redis.send(wakeScript([wake!, lease!, rest!, pause!], []));
    return isWon ? [wake!] : [];
  });
  const settled = await Promise.allSettled(claims);
  const failed = settled.find(({ status }) => status === 'rejected');
  if (failed) log.warn('wake not asked for', { error: (failed as PromiseRejectedResult).reason as unknown });
  return settled.flatMap((claim) => (claim.status === 'fulfilled' ? claim.value : []));
}

/** Lets the next enqueue try again. */
async function forget(redis: Redis, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => redis.send({ key, args: ['DEL', key], decode: () => undefined })));
}
