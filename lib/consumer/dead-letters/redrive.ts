import type { Redriven, RedriveReport } from '../../contract/parameters/redrive.ts';
import { Deadline } from '../../core/deadline.ts';
import { ConnectorError } from '../../core/errors.ts';
import { isoTime } from '../../core/iso-time.ts';
import type { Redis } from '../../redis/redis.ts';
import { xlenCommand } from '../../stream/commands/xlen.ts';
import { compareIds, hashOfKey } from '../entry.ts';
import { LaterEntries } from './later-entries.ts';
import { DEAD_LETTER_FIELDS } from './letter.ts';
import { BATCH, moveCommand, type Outcome } from './move-letters.ts';
import { MAX_NOTES, readNotes, type Notes } from './notes.ts';
import { readLetters, type Letter, type LetterFilter, type LetterSource } from './read-letters.ts';
import { countLetters, isWorthTidying, tidyNotes } from './tidy-notes.ts';

/** Letters that are looked at together: what waits in the stream is looked at once for all of them. */
const CHUNK = 2000;

export interface RedriveOptions extends LetterFilter {
  stream: string;
  group: string;
  deadLetterStream: string;
  /** The most to put back. */
  count: number;
  /** List them, and leave them where they are. */
  dryRun: boolean;
  /** Put back too what has a later entry of its key, or does not say where it is from. */
  force: boolean;
}

/**
 * Puts dead letters back at the end of their stream, the oldest first. Each goes in one step, so that it is in exactly
 * one of the two streams whenever this is interrupted. A letter stays where it is while a later entry of its key was
 * processed or waits, and where the response could not report it. It ends early, with a report, when time is over or
 * the stream refuses a letter.
 *
 * @throws {ConnectorError} what Redis answered, where no letter was moved before
 */
export async function redrive(redis: Redis, options: RedriveOptions, deadline: Deadline): Promise<RedriveReport> {
  const report = new Reporting(options);
  try {
    await new Redrive(redis, options, deadline, report).run();
  } catch (error) {
    if (report.moved === 0) throw error; // else the next call meets it first
  }
  return report.with(await redis.send(xlenCommand(options.deadLetterStream)));
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
    let chunk: Letter[] = [];
    for await (const letter of readLetters(this.#redis, source, this.#options)) {
      if (chunk.push(letter) < CHUNK) continue;
      await this.#putBack(source, chunk);
      if (this.#isOver) return;
      chunk = [];
    }
    if (chunk.length > 0) await this.#putBack(source, chunk);
  }

  get #isOver(): boolean {
    return this.#report.isFull || this.#deadline.remainingMs() === 0;
  }

  #sourceOf({ key, keyFields, isKeyNoted, deadLetterStreams }: Notes): Source {
    const { stream, group, deadLetterStream } = this.#options;
    const others = deadLetterStreams.filter((name) => name !== deadLetterStream);
    return { stream, group, deadLetterStream, notes: key, keyFields, isKeyNoted, others };
  }

  /** Removes notes that serve no letter; it may take half of the time that is left. */
  async #tidy(source: Source, notes: Notes): Promise<void> {
    await tidyNotes(this.#redis, source, notes, Deadline.after(this.#deadline.remainingMs() / 2));
  }

  async #putBack(source: Source, letters: Letter[]): Promise<void> {
    const later = new LaterEntries(this.#redis, source, letters, this.#deadline);
    if (!this.#options.force) await later.look(letters);
    for (let at = 0; at < letters.length && !this.#isOver;) {
      const batch = this.#takeBatch(letters, at, later);
      at += batch.taken;
      await this.#move(source, batch.letters, later);
    }
  }

  /** The next letters that may go, as many as the report has place for. Those that must stay are reported at once. */
  #takeBatch(letters: readonly Letter[], from: number, later: LaterEntries): { letters: Letter[]; taken: number } {
    const batch: Letter[] = [];
    let [bytes, at] = [0, from];
    for (; at < letters.length && batch.length < BATCH.letters; at++) {
      const letter = letters[at]!;
      if (later.supersede(letter)) {
        this.#report.stay(letter, 'superseded');
        continue;
      }
      bytes += letter.bytes;
      if ((batch.length > 0 && bytes > BATCH.bytes) || !this.#report.reserve(letter)) break;
      batch.push(letter);
    }
    return { letters: batch, taken: at - from };
  }

  async #move(source: Source, batch: readonly Letter[], later: LaterEntries): Promise<void> {
    for (let letters = batch; letters.length > 0;) {
      const { state, after, came, outcomes } = await this.#redis.send(this.#moveCommand(source, letters, later));
      later.knownTo = after;
      later.note(came);
      if (state === 'full') await this.#makeSpace(source);
      if (state !== 'moved') {
        letters = this.#withoutSuperseded(letters, later);
        continue;
      }
      for (const [at, { outcome, id }] of outcomes.entries()) {
        this.#report.settle(letters[at]!, outcome, id);
        if (outcome === 'moved' || outcome === 'listed') later.add(letters[at]!);
      }
      if (outcomes.length < letters.length) this.#report.end(); // the stream refused the next one
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

  #moveCommand(source: Source, letters: readonly Letter[], later: LaterEntries) {
    const { force, dryRun } = this.#options;
    const { stream, deadLetterStream, notes, keyFields, isKeyNoted, others } = source;
    return moveCommand([stream, deadLetterStream, notes, ...others], {
      ...{ after: later.knownTo, keyFields, isKeyNoted, force, dryRun, ownFields: DEAD_LETTER_FIELDS },
      letters: letters.map(({ id, sourceId, age, key }) => ({ id, sourceId, age, note: hashOfKey(key) })),
    });
  }

  /** @throws {ConnectorError} 422 where so many letters that went back wait that no further age can be noted */
  async #makeSpace(source: Source): Promise<void> {
    if (this.#hasMadeSpace) throw noSpace();
    this.#hasMadeSpace = true;
    await this.#tidy(source, await readNotes(this.#redis, this.#options));
  }
}

/** Where letters are, and the other streams that may hold letters of the group. */
interface Source extends LetterSource {
  others: readonly string[];
}

function noSpace(): ConnectorError {
  const detail =
    `More than ${MAX_NOTES} dead letters that went back were not processed yet, and no more can be kept track of, so ` +
    'none goes back: let the consumer work first, or use force';
  return new ConnectorError('STREAM:COMMAND', detail, { retryable: true });
}

function uncertain(): ConnectorError {
  const detail =
    'What came after the dead letters of this stream is not known any more: an earlier version wrote them there, and ' +
    'their notes were removed with those of other streams. To put them back all the same, use force';
  return new ConnectorError('STREAM:COMMAND', detail);
}

/** Superseded letters, and those that cannot go, that are listed; the rest are counted. */
const MAX_STAYING = 1000;
const MAX_STAYING_BYTES = 1024 * 1024;
/** A response has 6 MB: what is left of them for those that go, and half a megabyte for all around the list. */
const MAX_BYTES = 4.5 * 1024 * 1024;
/** Longest id of an entry, in characters. */
const ID_LENGTH = 41;

/** What a redrive reports. It takes a place for each letter before that is moved, so that it can report all. */
class Reporting {
  readonly #count: number;
  readonly #entries: Redriven[] = [];
  #bytes = 0;
  #going = 0;
  #staying = { count: 0, bytes: 0 };
  #superseded = 0;
  #isEnded = false;
  /** Letters that were put back. */
  moved = 0;

  constructor({ count }: { count: number }) {
    this.#count = count;
  }

  /** Whether no more letters can go. */
  get isFull(): boolean {
    return this.#isEnded || this.#going >= this.#count;
  }

  /** No more letters go. */
  end(): void {
    this.#isEnded = true;
  }

  /** Takes a place for a letter. Returns whether there is one. */
  reserve(letter: Letter): boolean {
    const bytes = sizeOf(entryOf(letter, 'moved', '9'.repeat(ID_LENGTH)));
    if (this.#bytes + bytes > MAX_BYTES) this.end();
    if (this.isFull) return false;
    this.#going++;
    this.#bytes += bytes;
    return true;
  }

  /** What became of a letter that had a place. */
  settle(letter: Letter, outcome: Outcome, id: string): void {
    if (outcome === 'moved') this.moved++;
    if (outcome === 'moved' || outcome === 'listed') {
      this.#entries.push(entryOf(letter, outcome, id));
      return;
    }
    this.#going--;
    if (outcome !== 'gone') this.stay(letter, outcome);
  }

  /** A letter stays where it is. The first are listed. */
  stay(letter: Letter, outcome: Outcome): void {
    if (outcome === 'superseded') this.#superseded++;
    const entry = entryOf(letter, outcome);
    const staying = this.#staying;
    staying.bytes += sizeOf(entry);
    if (++staying.count <= MAX_STAYING && staying.bytes <= MAX_STAYING_BYTES) this.#entries.push(entry);
  }

  with(remaining: number): RedriveReport {
    const entries = this.#entries.sort((a, b) => compareIds(a.id, b.id));
    return { redriven: this.moved, superseded: this.#superseded, remaining, entries };
  }
}

function entryOf(letter: Letter, outcome: Outcome, redrivenAs?: string): Redriven {
  const { id, sourceId, reason, errorType, deliveries, time } = letter;
  return {
    ...{ id, sourceId, reason, errorType, deliveries, time: isoTime(time) },
    ...{ superseded: outcome === 'superseded', redrivenAs: outcome === 'moved' ? redrivenAs! : null },
  };
}

/** As it travels: API Gateway's response is JSON within JSON. */
const sizeOf = (entry: Redriven) => Buffer.byteLength(JSON.stringify(JSON.stringify(entry)));
