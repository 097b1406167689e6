import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from '../core/deadline.ts';
import { orderedObject } from '../core/json.ts';
import { refuse } from '../contract/connector.ts';
import type { Command, Redis } from '../redis/redis.ts';
import type { Watermark } from './commands/xread.ts';
import { decodeEntries, type StreamEntry, type Streams } from './entries.ts';

/** Redis wakes a blocked client up to 100 ms late: what is kept of the time left, so that its answer is in time. */
const OVERSHOOT_MS = 300;
/** How often streams of several slots are asked, while a read of them blocks. */
const POLL_MS = 50;

export interface ReadOptions {
  /** Milliseconds to wait for entries; 0 is as long as the deadline allows. */
  block?: number | string;
  deadline: Deadline;
  /** The command that reads streams of one slot. */
  command: (watermarks: readonly Watermark[], blockMs?: number) => Command<Streams>;
}

/**
 * Reads several streams. Those of one slot, outside a cluster all, are one command. Streams of several slots are asked
 * side by side, and while the read blocks again and again: a blocked command a slot could not be taken back when
 * another one answers, and a group's entries would be delivered to nobody.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for a stream that is named twice: the answer has one place for it.
 */
export async function readStreams(
  redis: Redis,
  watermarks: readonly Watermark[],
  options: ReadOptions,
): Promise<Streams> {
  refuseRepeated(watermarks);
  const { command, deadline } = options;
  const blockMs = options.block === undefined ? undefined : heldBlock(Number(options.block), deadline);
  const slots = [...Map.groupBy(watermarks, ({ key }) => redis.slotOf(key)).values()];
  if (slots.length === 1) return redis.send(command(watermarks, blockMs));

  const until = performance.now() + (blockMs ?? 0);
  const resolved = blockMs === undefined ? slots : await resolveEnds(redis, slots);
  for (;;) {
    const answers = await Promise.all(resolved.map((slot) => redis.send(command(slot))));
    const waitMs = Math.min(POLL_MS, until - performance.now());
    if (waitMs <= 0 || answers.some((streams) => Object.keys(streams).length > 0)) return merge(watermarks, answers);
    await sleep(waitMs);
  }
}

/** A block within the time that the invocation has left, at least 1 ms: `BLOCK 0` is for ever. */
export function heldBlock(block: number, deadline: Deadline): number {
  const left = deadline.remainingMs();
  const most = left - Math.min(OVERSHOOT_MS, left / 2);
  return Math.max(1, Math.floor(block === 0 ? most : Math.min(block, most)));
}

function refuseRepeated(watermarks: readonly Watermark[]): void {
  const keys = watermarks.map(({ key }) => key);
  const faults = keys.flatMap((key, at) =>
    keys.indexOf(key) === at ? [] : [{ pointer: `/streamWatermarks/${at}/key`, message: 'is there already' }],
  );
  if (faults.length > 0) throw refuse('stream', faults);
}

/** `$` means the end at the time of the call: asked again and again, it would skip what came in between. */
async function resolveEnds(redis: Redis, slots: readonly Watermark[][]): Promise<Watermark[][]> {
  const resolve = async (watermark: Watermark) =>
    watermark.id === '$' ? { ...watermark, id: await redis.send(lastId(watermark.key)) } : watermark;
  return Promise.all(slots.map((slot) => Promise.all(slot.map(resolve))));
}

function lastId(key: string): Command<string> {
  return {
    key,
    args: ['XREVRANGE', key, '+', '-', 'COUNT', '1'],
    decode: (reply) => decodeEntries(reply)[0]?.id ?? '0-0',
  };
}

function merge(watermarks: readonly Watermark[], answers: readonly Streams[]): Streams {
  return orderedObject(
    watermarks.flatMap(({ key }): [string, StreamEntry[]][] =>
      answers.filter((streams) => Object.hasOwn(streams, key)).map((streams) => [key, streams[key]!]),
    ),
  );
}
