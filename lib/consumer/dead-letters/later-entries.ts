import { setTimeout as sleep } from 'node:timers/promises';
import { compareIds, LAST_POSSIBLE_ID } from '../../core/entry-id.ts';
import type { Deadline } from '../../core/deadline.ts';
import { ConnectorError } from '../../core/errors.ts';
import type { Command, Redis } from '../../redis/redis.ts';
import { joinKey } from '../entry.ts';
import { leaseKeyOf } from '../redis-keys.ts';
import { defineScript } from '../../redis/script.ts';
import type { Letter, LetterSource } from './read-letters.ts';
import { decodePortion, type ListedRow } from './listing.ts';
import { BEGINNING, isId, readLastDelivered } from './notes.ts';
import listById from './scripts/list-by-id.lua';

/** A key with at least one field that is not empty. */
const NAMED = /[^\0]/;

/** Pending ids to read at a time. */
const MOST_IDS = 250;
/** How often to look whether a run still works on entries that are no longer in the stream, in milliseconds. */
const POLL_MS = 250;
const TOO_MANY = 'Too many entries wait to check all of them in time: let the consumer work first, or use force';
const REMOVED =
  'A run works on entries that are no longer in the stream, so nobody knows which letters they supersede: ' +
  'call again, pause the consumer first, or use force';

const byIdScript = defineScript(listById, decodePortion);

/** The latest waiting entry, pending or unread, of each key that dead letters have. */
export class LaterEntries {
  readonly #redis: Redis;
  readonly #source: LetterSource;
  readonly #deadline: Deadline;
  readonly #latest: Map<string, string>;
  /** Position up to which the stream is known. */
  knownTo = BEGINNING;

  constructor(redis: Redis, source: LetterSource, letters: readonly Letter[], deadline: Deadline) {
    this.#redis = redis;
    this.#source = source;
    this.#deadline = deadline;
    this.#latest = new Map(letters.map(({ key }) => [key, BEGINNING]));
  }

  /** Whether a later entry of the letter's key waits. */
  supersede({ key, age }: Letter): boolean {
    if (!this.#source.isKeyNoted && !NAMED.test(key)) return false;
    const latest = this.#latest.get(key) ?? BEGINNING;
    return isId(age) ? compareIds(latest, age) > 0 : latest !== BEGINNING;
  }

  /**
   * Looks at the pending entries after the oldest of these letters. The script that moves letters looks at the unread
   * ones. A run may still carry a pending entry that was deleted or trimmed, whose key only it knows: this waits until
   * the run is done with it.
   *
   * @throws {ConnectorError} 504 if the time runs out: the waiting entries are then unknown, so no letter may go back
   */
  async find(letters: readonly Letter[]): Promise<void> {
    const ages = letters.map(({ age }) => (isId(age) ? age : BEGINNING));
    const oldest = ages.reduce((least, age) => (compareIds(age, least) < 0 ? age : least));
    const delivered = await readLastDelivered(this.#redis, this.#source);
    this.knownTo = compareIds(oldest, delivered) > 0 ? oldest : delivered;
    if (delivered === BEGINNING) return;
    while (!(await this.#readPending(oldest)) && (await this.#isLeased())) {
      if (this.#deadline.remainingMs() <= POLL_MS) throw late(REMOVED);
      await sleep(POLL_MS);
    }
  }

  /** Adds these entries. */
  note(entries: readonly ListedRow[]): void {
    for (const { age, values } of entries) this.add({ key: joinKey(values), age });
  }

  /** Adds an entry of a key, or a letter that went back. */
  add({ key, age }: Pick<Letter, 'key' | 'age'>): void {
    const latest = this.#latest.get(key);
    if (latest !== undefined && isId(age) && compareIds(age, latest) > 0) this.#latest.set(key, age);
  }

  /** @throws {ConnectorError} 504 if the time is over */
  checkTime(): void {
    if (this.#deadline.remainingMs() === 0) throw late(TOO_MANY);
  }

  /**
   * Reads the pending ids with a plain command: a script would block the server for a whole long list.
   *
   * @returns whether the stream has all of these entries
   */
  async #readPending(from: string): Promise<boolean> {
    const { stream, group, notes, keyFields } = this.#source;
    let hasAll = true;
    for (let after = from; after !== LAST_POSSIBLE_ID;) {
      this.checkTime();
      const ids = await this.#redis.send(pendingCommand(stream, group, after));
      if (ids.length === 0) break;
      for (let index = 0; index < ids.length;) {
        const portion = ids.slice(index);
        const { rows } = await this.#redis.send(
          byIdScript([stream, notes], [portion.length, ...portion, ...keyFields]),
        );
        this.note(rows);
        hasAll &&= rows.every(({ age }) => age !== '');
        index += rows.length;
      }
      after = ids.at(-1)!;
    }
    return hasAll;
  }

  #isLeased(): Promise<boolean> {
    const { stream, group } = this.#source;
    const key = leaseKeyOf(stream, group);
    return this.#redis.send({ key, args: ['EXISTS', key], decode: (reply) => reply === '1' });
  }
}

const late = (reason: string) =>
  new ConnectorError('STREAM:COMMAND', `No dead letter was put back. ${reason}`, { status: 504, outcome: 'refused' });

/** The ids of a group that are pending after one. */
function pendingCommand(stream: string, group: string, after: string): Command<string[]> {
  const args = ['XPENDING', stream, group, `(${after}`, '+', String(MOST_IDS)];
  return { key: stream, args, decode: (reply) => (reply as [string][]).map(([id]) => id) };
}
