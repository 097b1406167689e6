import type { Redriven, RedriveReport } from '../../contract/parameters/redrive.ts';
import { Deadline } from '../../core/deadline.ts';
import type { Log } from '../../core/log.ts';
import { compareIds } from '../../core/entry-id.ts';
import { ConnectorError } from '../../core/errors.ts';
import type { Redis } from '../../redis/redis.ts';
import { xlenCommand } from '../../stream/commands/xlen.ts';
import { hashOfKey } from '../entry.ts';
import { openClock } from '../redis-clock.ts';
import { LaterEntries } from './later-entries.ts';
import { DEAD_LETTER_FIELDS } from './letter.ts';
import { BATCH, moveCommand, type MoveResult } from './move-letters.ts';
import { MAX_NOTES, readNotes, type Notes } from './notes.ts';
import { readLetters, type Letter, type LetterFilter, type LetterSource } from './read-letters.ts';
import { countLetters, isWorthTidying, tidyNotes } from './tidy-notes.ts';

/** Least number of letters to handle together, with one look at the waiting entries. */
const MIN_CHUNK = 2000;

export interface RedriveOptions extends Omit<LetterFilter, 'writtenBy'> {
  stream: string;
  group: string;
  deadLetterStream: string;
  /** Maximum letters to put back. */
  count: number;
  /** Only letters older than this by the clock of Redis, in milliseconds. */
  olderThanMs?: number;
  /** Takes a warning if the clocks differ. */
  log?: Pick<Log, 'warn'>;
  /** List letters without moving them. */
  dryRun: boolean;
  /** Also put back superseded letters, and letters without an origin. */
  force: boolean;
}

/**
 * Puts dead letters back at the end of their stream, the oldest first. Each moves in one step, so that it is in exactly
 * one of the two streams whenever the call is interrupted. A letter stays if a later entry of its key was processed or
 * waits, or if the response could not report it. The redrive ends early, with a report, when the time is over, the
 * stream refuses a letter or Redis is lost.
 *
 * @throws {ConnectorError} Redis' error, if no letter was moved before
 */
export async function redrive(redis: Redis, options: RedriveOptions, deadline: Deadline): Promise<RedriveReport> {
  const report = new Reporting(options);
  try {
    await new Redrive(redis, options, deadline, report).run();
    report.remaining = await redis.send(xlenCommand(options.deadLetterStream));
  } catch (error) {
    if (report.moved === 0) throw error; // otherwise the next call meets it first
  }
  return report.whole();
}

class Redrive {
  readonly #redis: Redis;
  readonly #options: RedriveOptions;
  readonly #deadline: Deadline;
  readonly #report: Reporting;
  #hasMadeSpace = false;

  constructor(redis: Redis, options: RedriveOptions, deadline: Deadline, report: Reporting) {
    this.#redis = redis;
    this.#options = options;
    this.#deadline = deadline;
    this.#report = report;
  }

  async run(): Promise<void> {
    const notes = await readNotes(this.#redis, this.#options);
    if (notes.isUncertain && !this.#options.force) throw uncertain();
    const source = this.#sourceOf(notes);
    if (!this.#options.dryRun && isWorthTidying(notes, await countLetters(this.#redis, notes))) {
      await this.#tidy(source, notes);
    }
    const size = Math.max(MIN_CHUNK, this.#options.count);
    let chunk: Letter[] = [];
    for await (const letter of readLetters(this.#redis, source, await this.#filter())) {
      if (chunk.push(letter) < size) continue;
      await this.#putBack(source, chunk);
      if (this.#isOver) return;
      chunk = [];
    }
    if (chunk.length > 0) await this.#putBack(source, chunk);
  }

  get #isOver(): boolean {
    return this.#report.isFull || this.#deadline.remainingMs() === 0;
  }

  async #filter(): Promise<LetterFilter> {
    const { olderThanMs, log, ...filter } = this.#options;
    if (olderThanMs === undefined) return filter;
    const clock = await openClock(this.#redis, filter.stream, log);
    return { ...filter, writtenBy: clock.epochMs() - olderThanMs };
  }

  #sourceOf({ key, keyFields, isKeyNoted, deadLetterStreams }: Notes): RedriveSource {
    const { stream, group, deadLetterStream } = this.#options;
    const others = deadLetterStreams.filter((name) => name !== deadLetterStream);
    return { stream, group, deadLetterStream, notes: key, keyFields, isKeyNoted, others };
  }

  /** Removes unneeded notes, within half of the remaining time. */
  async #tidy(source: RedriveSource, notes: Notes): Promise<void> {
    await tidyNotes(this.#redis, source, notes, Deadline.after(this.#deadline.remainingMs() / 2));
  }

  async #putBack(source: RedriveSource, letters: Letter[]): Promise<void> {
    const later = new LaterEntries(this.#redis, source, letters, this.#deadline);
    if (!this.#options.force) await later.find(letters);
    for (let index = 0; index < letters.length && !this.#isOver;) {
      const batch = this.#takeBatch(letters, index, later);
      index += batch.count;
      await this.#move(source, batch.letters, later);
    }
  }

  /** The next letters that may go, as many as the report has room for. Reports those that must stay. */
  #takeBatch(letters: readonly Letter[], from: number, later: LaterEntries): { letters: Letter[]; count: number } {
    const batch: Letter[] = [];
    let [bytes, index] = [0, from];
    for (; index < letters.length && batch.length < BATCH.letters; index++) {
      const letter = letters[index]!;
      if (later.supersede(letter)) {
        this.#report.stay(letter, 'superseded');
        continue;
      }
      bytes += letter.bytes;
      if ((batch.length > 0 && bytes > BATCH.bytes) || !this.#report.reserve(letter)) break;
      batch.push(letter);
    }
    return { letters: batch, count: index - from };
  }

  async #move(source: RedriveSource, batch: readonly Letter[], later: LaterEntries): Promise<void> {
    for (let letters = batch; letters.length > 0;) {
      const { state, after, arrivals, results, left } = await this.#redis.send(
        this.#moveCommand(source, letters, later),
      );
      this.#report.remaining = left;
      later.knownTo = after;
      later.note(arrivals);
      if (state === 'behind') later.checkTime();
      if (state === 'full') await this.#makeSpace(source);
      if (state !== 'moved') {
        letters = this.#withoutSuperseded(letters, later);
        continue;
      }
      for (const [index, { result, id }] of results.entries()) {
        this.#report.settle(letters[index]!, result, id);
        if (result === 'moved' || result === 'listed') later.add(letters[index]!);
      }
      if (results.length < letters.length) this.#report.end(); // the stream refused the next one
      return;
    }
  }

  #withoutSuperseded(letters: readonly Letter[], later: LaterEntries): Letter[] {
    return letters.filter((letter) => {
      const isSuperseded = later.supersede(letter);
      if (isSuperseded) this.#report.settle(letter, 'superseded', '');
      return !isSuperseded;
    });
  }

  #moveCommand(source: RedriveSource, letters: readonly Letter[], later: LaterEntries) {
    const { force, dryRun } = this.#options;
    const { stream, deadLetterStream, notes, keyFields, isKeyNoted, others } = source;
    return moveCommand([stream, deadLetterStream, notes, ...others], {
      after: later.knownTo,
      keyFields,
      isKeyNoted,
      force,
      dryRun,
      ownFields: DEAD_LETTER_FIELDS,
      letters: letters.map(({ id, sourceId, age, key }) => ({ id, sourceId, age, note: hashOfKey(key) })),
    });
  }

  /** @throws {ConnectorError} 422 if too many letters that went back still wait, so that no further age can be noted */
  async #makeSpace(source: RedriveSource): Promise<void> {
    if (this.#hasMadeSpace) throw noSpace();
    this.#hasMadeSpace = true;
    await this.#tidy(source, await readNotes(this.#redis, this.#options));
  }
}

/** The dead-letter stream, and the other streams that may hold letters of the group. */
interface RedriveSource extends LetterSource {
  others: readonly string[];
}

function noSpace(): ConnectorError {
  const detail =
    `More than ${MAX_NOTES} redriven dead letters still wait to be processed, so no further letter can go back: ` +
    'let the consumer work first, or use force';
  return new ConnectorError('STREAM:COMMAND', detail, { temporary: true });
}

function uncertain(): ConnectorError {
  const detail =
    'The entries after the dead letters of this stream are no longer known: an earlier version wrote the letters, ' +
    'and their notes were removed with those of other streams. To put them back nevertheless, use force';
  return new ConnectorError('STREAM:COMMAND', detail);
}

/** Maximum staying letters to list: superseded ones, and those that cannot go. Others are counted. */
const MAX_STAYING = 1000;
const MAX_STAYING_BYTES = 1024 * 1024;
/**
 * Bytes for the letters that go: 6 MB less the list of staying ones, and half a megabyte for the rest of the response.
 */
const MAX_BYTES = 4.5 * 1024 * 1024;
/** Maximum characters of an entry id. */
const ID_LENGTH = 41;

/** The report of a redrive. It reserves a place for each letter before the letter moves, so that it can report all. */
class Reporting {
  readonly #count: number;
  readonly #entries: Redriven[] = [];
  #bytes = 0;
  #going = 0;
  #staying = { count: 0, bytes: 0 };
  #superseded = 0;
  #isEnded = false;
  /** Number of letters put back. */
  moved = 0;
  /** Letters left in the stream, as last known. */
  remaining = 0;

  constructor({ count }: { count: number }) {
    this.#count = count;
  }

  /** Whether no further letter may go. */
  get isFull(): boolean {
    return this.#isEnded || this.#going >= this.#count;
  }

  /** Lets no further letter go. */
  end(): void {
    this.#isEnded = true;
  }

  /** Reserves a place for a letter, if there is one. */
  reserve(letter: Letter): boolean {
    const bytes = sizeOf(entryOf(letter, 'moved', '9'.repeat(ID_LENGTH)));
    if (this.#bytes + bytes > MAX_BYTES) this.end();
    if (this.isFull) return false;
    this.#going++;
    this.#bytes += bytes;
    return true;
  }

  /** Reports a letter that had a place. */
  settle(letter: Letter, result: MoveResult, id: string): void {
    if (result === 'moved') this.moved++;
    if (result === 'moved' || result === 'listed') {
      this.#entries.push(entryOf(letter, result, id));
      return;
    }
    this.#going--;
    if (result !== 'missing') this.stay(letter, result);
  }

  /** Reports a letter that stays. The first ones are listed. */
  stay(letter: Letter, result: MoveResult): void {
    if (result === 'superseded') this.#superseded++;
    const entry = entryOf(letter, result);
    const staying = this.#staying;
    staying.bytes += sizeOf(entry);
    if (++staying.count <= MAX_STAYING && staying.bytes <= MAX_STAYING_BYTES) this.#entries.push(entry);
  }

  whole(): RedriveReport {
    const entries = this.#entries.sort((a, b) => compareIds(a.id, b.id));
    return { redriven: this.moved, superseded: this.#superseded, remaining: this.remaining, entries };
  }
}

function entryOf(letter: Letter, result: MoveResult, redrivenAs?: string): Redriven {
  const { id, sourceId, reason, errorType, deliveries, time } = letter;
  return {
    id,
    sourceId,
    reason,
    errorType,
    deliveries,
    time: new Date(time).toISOString(),
    superseded: result === 'superseded',
    redrivenAs: result === 'moved' ? redrivenAs! : null,
  };
}

/** Its size inside an API Gateway response, as JSON inside JSON. */
const sizeOf = (entry: Redriven) => Buffer.byteLength(JSON.stringify(JSON.stringify(entry)));
