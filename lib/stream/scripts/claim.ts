import type { Command, Lua } from '../../redis/redis.ts';
import { readId, readInteger, readList } from '../../redis/reply-shapes.ts';
import { readEntries, type EntryOptions, type RawEntry } from '../entries.ts';
import { MAX_ENTRY_BYTES } from '../read-range.ts';
import autoclaim from './autoclaim.lua';
import claim from './claim.lua';
import { decodeStop, PORTION_ITEMS, type Stop } from './measure.ts';

interface ClaimBase extends EntryOptions {
  key: string;
  group: string;
  consumer: string;
  minIdleMs: number | string;
}

export interface ClaimParameters extends ClaimBase {
  ids: readonly string[];
  idleMs?: number | string;
  retryCount?: number | string;
  force: boolean;
}

export interface AutoclaimParameters extends ClaimBase {
  start: string;
  count: number | string;
}

interface ClaimPortion {
  entries: RawEntry[];
  stop: Stop | undefined;
}

/** A missing sequence is 0; as the end of a range it would be the last one. */
const complete = (id: string) => (id.includes('-') ? id : `${id}-0`);

const optionsOf = ({ idleMs, retryCount, force }: ClaimParameters) => [
  ...(idleMs === undefined ? [] : ['IDLE', String(idleMs)]),
  ...(retryCount === undefined ? [] : ['RETRYCOUNT', String(retryCount)]),
  ...(force ? ['FORCE'] : []),
];

/**
 * Claims the first of these ids, as many as fit and as one script may look at. The others stay unchanged. `measure`
 * comes from `measureArgs`.
 */
export function claimCommand(
  parameters: ClaimParameters,
  measure: readonly string[],
): Command<ClaimPortion & { done: number }> {
  const { key, group, consumer, minIdleMs, ids, force } = parameters;
  const options = optionsOf(parameters);
  const portion = ids.slice(0, PORTION_ITEMS).map(complete);
  const words = [group, consumer, String(minIdleMs), force ? 'FORCE' : '', String(options.length), ...options];
  return {
    ...scriptCommand(key, claim, [...measure, ...words, ...portion]),
    decode(reply) {
      const [entries, done, stop] = readList(reply);
      return { entries: readEntries(entries), done: readInteger(done), stop: decodeStop(stop) };
    },
  };
}

/** Claims entries without their bodies (XCLAIM JUSTID). */
export function claimIdsCommand(parameters: ClaimParameters): Command<string[]> {
  const { key, group, consumer, minIdleMs, ids } = parameters;
  const args = ['XCLAIM', key, group, consumer, String(minIdleMs), ...ids, ...optionsOf(parameters), 'JUSTID'];
  return { key, args, decode: (reply) => readList(reply).map(readId) };
}

/**
 * Claims entries that have been pending long enough, as many as fit and as one script may look at. The others stay
 * unchanged.
 *
 * @param scan number of pending entries to look at
 * @param measure from `measureArgs`
 */
export function autoclaimCommand(
  parameters: AutoclaimParameters,
  scan: number,
  measure: readonly string[],
): Command<ClaimPortion & { next: string; deletedIds: string[]; visited: number }> {
  const { key, group, consumer, minIdleMs, start, count } = parameters;
  const words = [group, consumer, String(minIdleMs), start, String(count), String(scan)];
  return {
    ...scriptCommand(key, autoclaim, [...measure, ...words]),
    decode(reply) {
      const [next, entries, deleted, visited, stop] = readList(reply);
      return {
        next: readId(next),
        entries: readEntries(entries),
        deletedIds: readList(deleted).map(readId),
        visited: readInteger(visited),
        stop: decodeStop(stop),
      };
    },
  };
}

/** Claims entries without their bodies (XAUTOCLAIM JUSTID). */
export function autoclaimIdsCommand({
  key,
  group,
  consumer,
  minIdleMs,
  start,
  count,
}: AutoclaimParameters): Command<Autoclaimed<string>> {
  const args = ['XAUTOCLAIM', key, group, consumer, String(minIdleMs), start, 'COUNT', String(count), 'JUSTID'];
  return {
    key,
    args,
    decode(reply) {
      const [next, entries, deleted] = readList(reply);
      return {
        next: readId(next),
        entries: readList(entries).map(readId),
        deletedIds: readList(deleted).map(readId),
      };
    },
  };
}

export interface Autoclaimed<T> {
  /** Where the next call continues; `0-0` at the end. */
  next: string;
  entries: T[];
  /** Pending entries whose body was deleted. They are no longer pending. */
  deletedIds: string[];
}

function scriptCommand(key: string, script: Lua, words: readonly string[]) {
  return {
    key,
    asBytes: true,
    maxReplyBytes: MAX_ENTRY_BYTES.gzip,
    script,
    args: ['EVAL', script.source, '1', key, ...words],
  };
}
