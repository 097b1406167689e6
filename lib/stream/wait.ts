import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectorError } from '../core/errors.ts';
import type { Deadline } from '../core/deadline.ts';
import type { Command, Redis } from '../redis/redis.ts';
import { readList } from '../redis/reply-shapes.ts';
import { isReplyTooLong } from '../redis/errors.ts';
import { bySlot, type Watermark } from './watermarks.ts';

/** Redis wakes a blocked client up to 100 ms late: what is kept of the time left, so that the response is in time. */
const OVERSHOOT_MS = 300;
/** The longest that Redis is left waiting at a time: a group or stream that goes meanwhile is noticed so soon. */
const SLICE_MS = 1000;
/** How often streams of several slots are asked, while a read of them blocks. */
const POLL_MS = 50;
/** A wake-up carries the entry that came; of a larger one no more is read than this. */
const MAX_WAKE_BYTES = 1024 * 1024;

/** How long a read may wait for entries. */
export interface Waiting {
  /** Milliseconds; 0 is as long as the deadline allows. Left out: not at all. */
  block?: number | string;
  deadline: Deadline;
}

/**
 * Reads until there are entries, or the time is over.
 *
 * Redis never holds the read itself: it would deliver to a group before the size is known, and a connection that is
 * lost while it waits would take entries along. It holds an XREAD that delivers nothing, and the read follows.
 *
 * @param read undefined where there is nothing new
 * @param after where each stream stands now
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
  // known only now: connecting, or finding out that a socket was dead, may have taken much of the time
  const until = Math.min(startedAt + (Number(block) || Infinity), performance.now() + heldTime(deadline));
  while (result === undefined) {
    const ms = Math.ceil(Math.min(until - performance.now(), SLICE_MS));
    if (ms < 1) return undefined;
    if ((await isWoken(redis, after(), ms, deadline)) || ms === SLICE_MS) result = await read();
  }
  return result;
}

/** What of the time left may be spent waiting. */
export function heldTime(deadline: Deadline): number {
  const left = deadline.remainingMs();
  return left - Math.min(OVERSHOOT_MS, left / 2);
}

/** Whether something may have come. Streams of several slots cannot wait in one command: they are asked again soon. */
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
    if ((error as ConnectorError).status === 504 && deadline.remainingMs() === 0) return false; // on a slow network
    throw error;
  }
}

function wakeCommand(watermarks: readonly Watermark[], blockMs: number): Command<boolean> {
  const ids = watermarks.map(({ id }) => id);
  return {
    key: watermarks[0]!.key,
    blockMs,
    maxReplyBytes: MAX_WAKE_BYTES,
    asBytes: true,
    args: ['XREAD', 'COUNT', '1', 'BLOCK', String(blockMs), 'STREAMS', ...watermarks.map(({ key }) => key), ...ids],
    decode: (reply) => readList(reply, { orNil: true }).length > 0,
  };
}
