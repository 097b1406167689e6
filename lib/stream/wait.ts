import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectorError } from '../core/errors.ts';
import type { Deadline } from '../core/deadline.ts';
import type { Command, Redis } from '../redis/redis.ts';
import { readList } from '../redis/reply-shapes.ts';
import { isReplyTooLong } from '../redis/errors.ts';
import { bySlot, streamArgs, type Watermark } from './watermarks.ts';

/** Redis wakes a blocked client up to 100 ms late, so this much of the remaining time is kept for the response. */
const OVERSHOOT_MS = 300;
/** Longest block at a time, so that a group or stream that is deleted meanwhile is noticed. */
const SLICE_MS = 1000;
/** How often a blocking read polls streams of several slots. */
const POLL_MS = 50;
/** Maximum bytes to read of the entry that ends a block. */
const MAX_WAKE_BYTES = 1024 * 1024;

/** How long a read may wait for entries. */
export interface Waiting {
  /** Milliseconds; 0 for as long as the deadline allows. Without it, the read does not wait. */
  block?: number | string;
  deadline: Deadline;
}

/**
 * Reads until there are entries, or the time is over.
 *
 * Redis never blocks the read itself: it would deliver to a group before sizes are known, and a lost connection would
 * lose entries. It blocks an XREAD that delivers nothing, and the read follows.
 *
 * @param read returns undefined if there is nothing new
 * @param after the current position in each stream
 */
export async function readUntil<T>(
  redis: Redis,
  { block, deadline }: Waiting,
  read: () => Promise<T | undefined>,
  after: () => readonly Watermark[],
): Promise<T | undefined> {
  const startedAt = performance.now();
  let result = await read();
  if (result !== undefined || block === undefined) return result;
  // known only now: connecting, or detecting a dead socket, may have taken much of the time
  const until = Math.min(startedAt + (Number(block) || Infinity), performance.now() + heldTime(deadline));
  while (result === undefined) {
    const ms = Math.ceil(Math.min(until - performance.now(), SLICE_MS));
    if (ms < 1) return undefined;
    const woken = await isWoken(redis, after(), ms, deadline);
    if (woken || performance.now() < until) result = await read();
  }
  return result;
}

/** How much of the remaining time may be spent waiting. */
export function heldTime(deadline: Deadline): number {
  const left = deadline.remainingMs();
  return left - Math.min(OVERSHOOT_MS, left / 2);
}

/** Waits until there may be entries. One command cannot wait for several slots, so these are polled. */
async function isWoken(
  redis: Redis,
  watermarks: readonly Watermark[],
  ms: number,
  deadline: Deadline,
): Promise<boolean> {
  if (bySlot(redis, watermarks).length > 1) return sleep(Math.min(POLL_MS, ms), true);
  try {
    return await redis.send(wakeCommand(watermarks, ms));
  } catch (error) {
    if (isReplyTooLong(error)) return true;
    // on a slow network; a timer may fire before its time
    if ((error as ConnectorError).status === 504 && deadline.remainingMs() < OVERSHOOT_MS) return false;
    throw error;
  }
}

function wakeCommand(watermarks: readonly Watermark[], blockMs: number): Command<boolean> {
  return {
    key: watermarks[0]!.key,
    blockMs,
    maxReplyBytes: MAX_WAKE_BYTES,
    asBytes: true,
    args: ['XREAD', 'COUNT', '1', 'BLOCK', String(blockMs), ...streamArgs(watermarks)],
    decode: (reply) => readList(reply, { orNil: true }).length > 0,
  };
}
