import { LAST_POSSIBLE_ID } from '../../core/entry-id.ts';
import type { Deadline } from '../../core/deadline.ts';
import { ConnectorError } from '../../core/errors.ts';
import type { Redis } from '../../redis/redis.ts';
import { xinfoGroupsCommand } from '../../stream/commands/xinfo-groups.ts';
import type { Letter, LetterSource } from './read-letters.ts';
import { compareIds, joinKey } from '../entry.ts';
import { bytesOf, PageSize } from '../page-size.ts';
import { AGE, decodeListed, FIELD, type Listed } from './listing.ts';
import { ENTRIES_AFTER, script } from '../../redis/script.ts';

const BEGINNING = '0-0';
/** A key that any field has a part in. */
const NAMED = /[^\0]/;
const ID = /^\d{1,20}-\d{1,20}$/;

/**
 * KEYS stream, notes; ARGV after, count, group or nothing, key field… With a group: what it has pending; else what the
 * stream holds. Returns a list for each entry: its id, its age, its size, the value of each key field.
 */
const WAITING = `#!lua flags=no-writes
${FIELD}
${AGE}
${ENTRIES_AFTER}
local entries = {}
if ARGV[3] == '' then
  entries = entriesAfter(KEYS[1], ARGV[1], ARGV[2])
elseif ARGV[1] ~= '${LAST_POSSIBLE_ID}' then
  for at, pending in ipairs(redis.call('XPENDING', KEYS[1], ARGV[3], '(' .. ARGV[1], '+', ARGV[2])) do
    entries[at] = redis.call('XRANGE', KEYS[1], pending[1], pending[1])[1] or {pending[1], {}, true}
  end
end
for at, entry in ipairs(entries) do
  local row = {entry[1], entry[3] and '0-0' or ageOf(KEYS[2], entry[1]), bytesOf(entry[2])}
  for arg = 4, #ARGV do row[arg] = valueOf(entry[2], ARGV[arg]) end
  entries[at] = row
end
return entries`;

const waitingScript = script(WAITING, decodeListed);

/** The latest entry that waits, pending or unread, of each key that some dead letters have. */
export class LaterEntries {
  readonly #redis: Redis;
  readonly #source: LetterSource;
  readonly #deadline: Deadline;
  readonly #latest: Map<string, string>;
  /** The stream is known up to here. */
  knownTo = BEGINNING;

  constructor(redis: Redis, source: LetterSource, letters: readonly Letter[], deadline: Deadline) {
    this.#redis = redis;
    this.#source = source;
    this.#deadline = deadline;
    this.#latest = new Map(letters.map(({ key }) => [key, BEGINNING]));
  }

  /** Whether an entry of the letter's key waits that came after the letter's. */
  supersede({ key, age }: Letter): boolean {
    if (!this.#source.isKeyNoted && !NAMED.test(key)) return false;
    const latest = this.#latest.get(key) ?? BEGINNING;
    return ID.test(age) ? compareIds(latest, age) > 0 : latest !== BEGINNING;
  }

  /**
   * Looks at all that waits and came after the oldest of these letters.
   *
   * @throws {ConnectorError} 504 where time is over before: what waits is not known, so no letter may go back
   */
  async look(letters: readonly Letter[]): Promise<void> {
    const { group } = this.#source;
    const ages = letters.map(({ age }) => (ID.test(age) ? age : BEGINNING));
    const oldest = ages.reduce((least, age) => (compareIds(age, least) < 0 ? age : least));
    const delivered = await this.#lastDelivered();
    this.knownTo = compareIds(oldest, delivered) > 0 ? oldest : delivered;
    await this.#scan(this.knownTo);
    if (delivered !== BEGINNING) await this.#scan(oldest, group);
  }

  /** Looks at what came to the stream since. */
  catchUp(): Promise<void> {
    return this.#scan(this.knownTo);
  }

  /** Takes in what was looked at. */
  note(entries: readonly Listed[]): void {
    for (const { age, values } of entries) this.add({ key: joinKey(values), age });
  }

  /** Takes in an entry of a key; a letter that went back, too. */
  add({ key, age }: Pick<Letter, 'key' | 'age'>): void {
    const latest = this.#latest.get(key);
    if (latest !== undefined && ID.test(age) && compareIds(age, latest) > 0) this.#latest.set(key, age);
  }

  async #lastDelivered(): Promise<string> {
    const { stream, group } = this.#source;
    const groups = await this.#redis.send(xinfoGroupsCommand(stream)).catch((error: ConnectorError) => {
      if (error.status === 404) return [];
      throw error;
    });
    const found = groups.find(({ name }) => name === group);
    return (found?.['last-delivered-id'] as string | undefined) ?? BEGINNING;
  }

  /** Looks at what the stream holds after an id; with a group, at what that has pending. */
  async #scan(from: string, group = ''): Promise<void> {
    const { stream, notes, keyFields } = this.#source;
    const size = new PageSize();
    for (let after = from, isLast = false; !isLast;) {
      if (this.#deadline.remainingMs() === 0) throw outOfTime();
      const page = await this.#redis.send(waitingScript([stream, notes], [after, size.count, group, ...keyFields]));
      this.note(page);
      after = page.at(-1)?.id ?? after;
      if (group === '') this.knownTo = after;
      isLast = size.learn(page.length, bytesOf(page));
    }
  }
}

function outOfTime(): ConnectorError {
  const detail =
    'Too many entries wait to look at all of them in time, so no dead letter was put back: ' +
    'let the consumer work first, or use force';
  return new ConnectorError('STREAM:COMMAND', detail, { status: 504, retryable: true });
}
