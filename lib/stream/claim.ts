import type { Deadline } from '../core/deadline.ts';
import type { Redis } from '../redis/redis.ts';
import type { Output } from '../invocation/output.ts';
import type { EntryOptions, RawEntry, StreamEntry } from './entries.ts';
import { EntryDecoder, lossOf } from './entry-decoder.ts';
import { fitsAlone, oversized } from './oversized.ts';
import {
  autoclaimCommand,
  claimCommand,
  type Autoclaimed,
  type AutoclaimParameters,
  type ClaimParameters,
} from './scripts/claim.ts';
import { mayGoOn, measureArgs, type Stop } from './scripts/measure.ts';
import { refuseIntegers } from './watermarks.ts';

/** Redis looks at ten times as many pending entries as it should claim. */
const SCAN_PER_CLAIM = 10;
/** With less time left than this, in milliseconds, a claim that has entries ends. */
const LAST_PORTION_MS = 250;

/** The form of entries, the room for them, and the deadline. */
interface Claiming {
  output: Output;
  deadline: Deadline;
}

/**
 * Claims entries by their ids, in the order given, as many as the response has room for. The others stay unchanged.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for a number beyond 64 bits; `STREAM:COMMAND` 413 if the first
 *   entry is too large for it, 422 if the chosen form cannot hold it. Neither claims anything.
 */
export async function claim(redis: Redis, parameters: ClaimParameters, claiming: Claiming): Promise<StreamEntry[]> {
  const { minIdleMs, idleMs, retryCount } = parameters;
  let { ids } = parameters;
  refuseIntegers({ minIdleMs, idleMs, retryCount });
  return claimPortions(redis, parameters, claiming, async (measure) => {
    const { entries, stop, done } = await redis.send(claimCommand({ ...parameters, ids }, measure));
    ids = ids.slice(done);
    return { entries, stop, isEnd: ids.length === 0 };
  });
}

/**
 * Claims entries that have been pending long enough, as many as fit into the response, out of at most `count` times 10
 * pending entries. The others stay unchanged. Throws like `claim`.
 */
export async function autoclaim(
  redis: Redis,
  parameters: AutoclaimParameters,
  claiming: Claiming,
): Promise<Autoclaimed<StreamEntry>> {
  refuseIntegers({ minIdleMs: parameters.minIdleMs });
  const deletedIds: string[] = [];
  let count = Number(parameters.count);
  let scan = count * SCAN_PER_CLAIM;
  let { start } = parameters;
  const entries = await claimPortions(redis, parameters, claiming, async (measure) => {
    const portion = await redis.send(autoclaimCommand({ ...parameters, start, count }, scan, measure));
    deletedIds.push(...portion.deletedIds);
    start = portion.next;
    count -= portion.entries.length + portion.deletedIds.length;
    scan -= portion.visited;
    const isEnd = start === '0-0' || count < 1 || scan < 1;
    return { entries: portion.entries, stop: portion.stop, isEnd, hasMore: deletedIds.length > 0 };
  });
  return { next: start, entries, deletedIds };
}

interface Portion {
  entries: readonly RawEntry[];
  stop: Stop | undefined;
  /** Whether nothing is left to claim. */
  isEnd: boolean;
  /** Whether the claim has something to report besides entries. */
  hasMore?: boolean;
}

/** Replaces a portion that failed after the claim had a result. */
const END: Portion = { entries: [], stop: undefined, isEnd: true };

/** Claims in portions. Returns what was claimed even if a later portion fails. */
async function claimPortions(
  redis: Redis,
  read: EntryOptions & { key: string },
  { output, deadline }: Claiming,
  next: (measure: readonly string[]) => Promise<Portion>,
): Promise<StreamEntry[]> {
  const claimed: StreamEntry[] = [];
  const decoder = new EntryDecoder(read, output.travel);
  let { left } = output;
  let hasResult = false;
  const claimPortion = async (single: Stop | undefined): Promise<Portion> => {
    const measure = measureArgs(read, output.travel, single?.size ?? left, single?.id);
    const portion = await next(measure).catch((error: unknown) => {
      if (hasResult) return END;
      throw error;
    });
    for (const entry of portion.entries) claimed.push(decoder.entry(entry));
    left -= decoder.takeBytes();
    hasResult ||= claimed.length > 0 || portion.hasMore === true;
    return portion;
  };
  let single: Stop | undefined; // an entry that needs a response of its own
  for (;;) {
    const { stop, isEnd } = await claimPortion(single);
    const isOver = left <= 0 || deadline.remainingMs() < LAST_PORTION_MS;
    if (isOver && claimed.length > 0) return claimed;
    single = stop && !mayGoOn(stop, left) ? stop : undefined;
    if (single ? hasResult : isEnd) return claimed;
    if (single) await refuseUnfit(redis, single, { ...read, output });
  }
}

/** @throws {ConnectorError} for an entry that its form cannot hold, or that is too large for a response of its own */
async function refuseUnfit(
  redis: Redis,
  stop: Stop,
  { output, ...read }: EntryOptions & { key: string; output: Output },
): Promise<void> {
  if (stop.kind === 'repeated' || stop.kind === 'bytes') throw lossOf(stop.kind, stop.id, stop.field);
  if (!(await fitsAlone(redis, { ...stop, key: read.key }, { ...read, output }))) throw oversized(stop.id);
}
