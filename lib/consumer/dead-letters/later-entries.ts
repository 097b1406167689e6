import { compareIds, LAST_POSSIBLE_ID } from '../../core/entry-id.ts';
import type { Deadline } from '../../core/deadline.ts';
import { ConnectorError } from '../../core/errors.ts';
import type { Command, Redis } from '../../redis/redis.ts';
import { joinKey } from '../entry.ts';
import { script } from '../../redis/script.ts';
import type { Letter, LetterSource } from './read-letters.ts';
import { decodePortion, FORWARDS, LISTING, PORTION, WHOLE_PORTION, type Listed } from './listing.ts';
import { AGE, BEGINNING, isId, readLastDelivered } from './notes.ts';

/** A key with at least one field that is not empty. */
const NAMED = /[^\0]/;

/** KEYS stream, notes; ARGV after, key field… Returns whether these were the last entries, and a list for each. */
const UNREAD = `#!lua flags=no-writes
${LISTING}
${FORWARDS}
${AGE}
local names, rows = {unpack(ARGV, 2)}, {}
local isLast = eachEntry(forwards(KEYS[1]), '(' .. ARGV[1], ${WHOLE_PORTION}, function(entry)
  rows[#rows + 1] = rowOf(entry[1], ageOf(KEYS[2], entry[1]), entry[2], names)
end)
return {isLast and 1 or 0, rows}`;

/**
 * KEYS stream, notes; ARGV number of ids, id…, key field… Returns whether all ids are listed, and a list for each. An
 * entry whose body was deleted counts as the oldest: it cannot supersede anything.
 */
const BY_ID = `#!lua flags=no-writes
${LISTING}
${AGE}
local count = tonumber(ARGV[1])
local names, rows, bytes = {unpack(ARGV, count + 2)}, {}, 0
for at = 1, count do
  local id = ARGV[at + 1]
  local entry = redis.call('XRANGE', KEYS[1], id, id)[1]
  rows[at] = entry and rowOf(id, ageOf(KEYS[2], id), entry[2], names) or rowOf(id, '${BEGINNING}', {}, names)
  bytes = bytes + rows[at][3]
  if bytes >= ${PORTION.bytes} then break end
end
return {#rows == count and 1 or 0, rows}`;

const unreadScript = script(UNREAD, decodePortion);
const byIdScript = script(BY_ID, decodePortion);

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
   * Looks at all waiting entries after the oldest of these letters.
   *
   * @throws {ConnectorError} 504 if the time runs out: the waiting entries are then unknown, so no letter may go back
   */
  async look(letters: readonly Letter[]): Promise<void> {
    const ages = letters.map(({ age }) => (isId(age) ? age : BEGINNING));
    const oldest = ages.reduce((least, age) => (compareIds(age, least) < 0 ? age : least));
    const delivered = await readLastDelivered(this.#redis, this.#source);
    this.knownTo = compareIds(oldest, delivered) > 0 ? oldest : delivered;
    await this.#lookAtUnread();
    if (delivered !== BEGINNING) await this.#lookAtPending(oldest);
  }

  /** Adds these entries. */
  note(entries: readonly Listed[]): void {
    for (const { age, values } of entries) this.add({ key: joinKey(values), age });
  }

  /** Adds an entry of a key, or a letter that went back. */
  add({ key, age }: Pick<Letter, 'key' | 'age'>): void {
    const latest = this.#latest.get(key);
    if (latest !== undefined && isId(age) && compareIds(age, latest) > 0) this.#latest.set(key, age);
  }

  async #lookAtUnread(): Promise<void> {
    const { stream, notes, keyFields } = this.#source;
    for (let isOver = false; !isOver;) {
      this.#checkTime();
      const { isLast, rows } = await this.#redis.send(unreadScript([stream, notes], [this.knownTo, ...keyFields]));
      this.note(rows);
      [this.knownTo, isOver] = [rows.at(-1)?.id ?? this.knownTo, isLast];
    }
  }

  /** Reads the pending ids with a plain command: a script would block the server for a whole long list. */
  async #lookAtPending(from: string): Promise<void> {
    const { stream, group, notes, keyFields } = this.#source;
    for (let after = from; after !== LAST_POSSIBLE_ID;) {
      this.#checkTime();
      const ids = await this.#redis.send(pendingCommand(stream, group, after));
      if (ids.length === 0) return;
      for (let at = 0; at < ids.length;) {
        const portion = ids.slice(at);
        const { rows } = await this.#redis.send(
          byIdScript([stream, notes], [portion.length, ...portion, ...keyFields]),
        );
        this.note(rows);
        at += rows.length;
      }
      after = ids.at(-1)!;
    }
  }

  #checkTime(): void {
    if (this.#deadline.remainingMs() > 0) return;
    const detail =
      'Too many entries wait to check all of them in time, so no dead letter was put back: ' +
      'let the consumer work first, or use force';
    throw new ConnectorError('STREAM:COMMAND', detail, { status: 504, outcome: 'refused' });
  }
}

/** The ids of a group that are pending after one. */
function pendingCommand(stream: string, group: string, after: string): Command<string[]> {
  const args = ['XPENDING', stream, group, `(${after}`, '+', String(PORTION.entries)];
  return { key: stream, args, decode: (reply) => (reply as [string][]).map(([id]) => id) };
}
