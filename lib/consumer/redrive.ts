import type { Deadline } from '../core/deadline.ts';
import type { Redis } from '../redis/redis.ts';
import { xlenCommand } from '../stream/commands/xlen.ts';
import { DEAD_LETTER_FIELDS } from './dead-letter.ts';
import { readLetters, type Letter, type LetterFilter, type LetterSource } from './dead-letters.ts';
import { LaterEntries } from './later-entries.ts';
import { supersededKeyOf } from './names.ts';
import { hashOfKey, SOURCE_RECORD_KEY_FIELDS } from './ordering-key.ts';
import { moveCommand, type Moved } from './redrive-move.ts';
import type { RedriveReport as Report } from '../contract/redrive-parameters.ts';
import { RedriveReport } from './redrive-report.ts';

/** Letters that are looked at together: what waits in the stream is looked at once for all of them. */
const CHUNK = 2000;
/** Letters, and bytes of them, that one script moves. */
const BATCH = { letters: 100, bytes: 1024 * 1024 };
/** What may come to the stream meanwhile for a script to look at it. */
const MOST_ARRIVALS = 1000;
const MAX_NOTES = 20_000;

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
export async function redrive(redis: Redis, options: RedriveOptions, deadline: Deadline): Promise<Report> {
  const report = new RedriveReport(options);
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
  readonly #report: RedriveReport;

  constructor(redis: Redis, options: RedriveOptions, deadline: Deadline, report: RedriveReport) {
    this.#redis = redis;
    this.#options = options;
    this.#deadline = deadline;
    this.#report = report;
  }

  async run(): Promise<void> {
    const { stream, group, deadLetterStream } = this.#options;
    const notes = supersededKeyOf(stream, group);
    const source = { stream, group, deadLetterStream, notes, ...(await this.#readKeyFields(notes)) };
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

  /** The fields that the consumer orders by, as it noted them with its first letter. */
  async #readKeyFields(notes: string): Promise<Pick<LetterSource, 'keyFields' | 'isKeyNoted'>> {
    const args = ['HGET', notes, 'keyFields'];
    const noted = await this.#redis.send({ key: notes, args, decode: (reply) => reply as string | null });
    if (noted === null) return { keyFields: SOURCE_RECORD_KEY_FIELDS, isKeyNoted: false };
    return { keyFields: JSON.parse(noted) as string[], isKeyNoted: true };
  }

  async #putBack(source: LetterSource, letters: Letter[]): Promise<void> {
    const later = new LaterEntries(this.#redis, source, letters, this.#deadline);
    if (!this.#options.force) await later.look(letters);
    for (let at = 0; at < letters.length && !this.#isOver;) {
      const batch = this.#takeBatch(letters, at, later);
      at += batch.taken;
      if (batch.letters.length > 0) await this.#move(source, batch.letters, later);
    }
  }

  /** The next letters that may go, as many as the report has place for. Those that must stay are reported at once. */
  #takeBatch(letters: readonly Letter[], from: number, later: LaterEntries): { letters: Letter[]; taken: number } {
    const batch: Letter[] = [];
    let [bytes, at] = [0, from];
    for (; at < letters.length && batch.length < BATCH.letters && bytes < BATCH.bytes; at++) {
      const letter = letters[at]!;
      if (later.supersede(letter)) this.#report.stay(letter, 'superseded');
      else if (!this.#report.reserve(letter)) break;
      else bytes += batch.push(letter) && letter.bytes;
    }
    return { letters: batch, taken: at - from };
  }

  async #move(source: LetterSource, letters: readonly Letter[], later: LaterEntries): Promise<void> {
    const { after, came, outcomes } = await this.#send(source, letters, later);
    later.knownTo = after;
    later.note(came);
    for (const [at, { outcome, id }] of outcomes.entries()) {
      this.#report.settle(letters[at]!, outcome, id);
      if (outcome === 'moved' || outcome === 'listed') later.add(letters[at]!);
    }
    if (outcomes.length < letters.length) this.#report.end(); // the stream refused the next one
  }

  async #send(source: LetterSource, letters: readonly Letter[], later: LaterEntries): Promise<Moved> {
    const { force, dryRun } = this.#options;
    const { stream, deadLetterStream, notes, keyFields, isKeyNoted } = source;
    for (;;) {
      const input = {
        ...{ after: later.knownTo, atMost: MOST_ARRIVALS, keyFields, isKeyNoted, force, dryRun },
        ownFields: DEAD_LETTER_FIELDS,
        letters: letters.map(({ id, age, key }) => ({ id, age, note: hashOfKey(key) })),
        maxNotes: MAX_NOTES,
      };
      const moved = await this.#redis.send(moveCommand([stream, deadLetterStream, notes], input));
      if (moved) return moved;
      await later.catchUp();
    }
  }
}
