import type { Deadline } from '../core/deadline.ts';
import type { Redis } from '../redis/redis.ts';
import { xlenCommand } from '../stream/commands/xlen.ts';
import { decodeDeadLetter, DEAD_LETTER_FIELDS, type DeadLetter } from './dead-letter.ts';
import { addedAt, decodeEntries, type Entry } from './entry.ts';
import { redriveScript } from './scripts.ts';

/** Dead letters looked at in one read. */
const PAGE = 100;

export interface RedriveOptions {
  stream: string;
  deadLetterStream: string;
  /** The most to put back. */
  count: number;
  /** Only those whose reason holds this text. */
  reason?: string;
  /** Only those of this error type. */
  errorType?: string;
  /** Only those written longer ago than this, in milliseconds. */
  olderThanMs?: number;
  /** List them, and leave them where they are. */
  dryRun: boolean;
}

/** A dead letter, and what became of it. */
export interface Redriven extends Omit<DeadLetter, 'time'> {
  /** Id of the dead letter. */
  id: string;
  time: string;
  /** Its new id in the stream; null where it was only listed. */
  redrivenAs: string | null;
}

export interface RedriveReport {
  redriven: number;
  /** Dead letters that are left, whether they match or not. */
  remaining: number;
  entries: Redriven[];
}

/**
 * Puts dead letters back at the end of their stream, the oldest first. Each goes in one step, so that it is in exactly
 * one of the two streams whenever this is interrupted.
 */
export async function redrive(redis: Redis, options: RedriveOptions, deadline: Deadline): Promise<RedriveReport> {
  const { stream, deadLetterStream, count, dryRun } = options;
  const entries: Redriven[] = [];
  for await (const letter of matching(redis, options)) {
    if (entries.length >= count || deadline.remainingMs() === 0) break;
    const { time, ...told } = decodeDeadLetter(letter);
    const move = redriveScript([stream, deadLetterStream], [letter.id, ...DEAD_LETTER_FIELDS]);
    const redrivenAs = dryRun ? null : await redis.send(move);
    if (!dryRun && redrivenAs === null) continue; // another redrive was faster
    entries.push({ id: letter.id, ...told, time: new Date(time).toISOString(), redrivenAs });
  }
  const remaining = await redis.send(xlenCommand(deadLetterStream));
  return { redriven: dryRun ? 0 : entries.length, remaining, entries };
}

async function* matching(redis: Redis, options: RedriveOptions): AsyncGenerator<Entry> {
  const { deadLetterStream: key, reason, errorType, olderThanMs = 0 } = options;
  const writtenBy = Date.now() - olderThanMs;
  let after = '-';
  for (;;) {
    const args = ['XRANGE', key, after, '+', 'COUNT', String(PAGE)];
    const page = await redis.send({ key, args, decode: decodeEntries });
    for (const letter of page) {
      if (addedAt(letter.id) > writtenBy) return;
      const told = decodeDeadLetter(letter);
      if (errorType !== undefined && told.errorType !== errorType) continue;
      if (reason === undefined || told.reason.includes(reason)) yield letter;
    }
    if (page.length < PAGE) return;
    after = `(${page.at(-1)!.id}`;
  }
}
