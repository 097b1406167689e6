import { delayAfter } from './back-off.ts';
import { type Entry, orderingKeyOf, sizeOf } from './entry.ts';
import type { PendingRow } from './group/group.ts';
import { Claims } from './claims.ts';
import type { IntakeParts } from './intake-parts.ts';
import { freshItem, pendingItem, type Item } from './item.ts';

/** Pending entries looked up at a time, and the most bytes of bodies that the server looks at for that. */
const PAGE = 500;
const PAGE_BYTES = 4 * 2 ** 20;
/** Bodies kept while they wait, in batches: enough to find work while some keys are busy. */
const BATCHES_AHEAD = 4;
/** Reads under way at a time: the next one travels while the last one is worked on. */
const READS = 2;
/** Of the bytes that bodies may take, what one reply holds at most: while it is decoded, it takes its size twice. */
const PORTION = 1 / 8;
/** The first read is a small one: how large entries are is not known before. */
const FIRST_READ = 20;
/** A read asks for so many times more than the last one, at most. */
const GROWTH = 8;
/** How long what is buffered may suffice before a run reads on past it, in milliseconds: that costs a second way. */
const PATIENCE_MS = 100;
/** How soon a stream that was empty is asked again: while there is other work, and while a run lingers, in ms. */
export const POLL_MS = 100;
export const LINGER_POLL_MS = 20;

/** What a run could do with more entries. */
export interface Need {
  /** Heads that could be attempted at once, beyond those that are ready. */
  readonly wanted: number;
  /** The same of those that failed before. */
  readonly failingWanted: number;
  /** Whether the target works, so that entries may be taken in ahead of time. */
  readonly isCalm: boolean;
  /** How soon a stream that was empty is asked again, in milliseconds. */
  readonly pollMs: number;
  /** How long the server may wait for an entry, where there is nothing else to do. */
  readonly blockMs: number | undefined;
}

/**
 * Brings entries into the window of a shard: first all that earlier runs left pending, oldest first, because they decide
 * which keys are blocked; then new ones. Nothing new is read while that list is not known to its end, or too long.
 */
export class Intake {
  readonly #parts: IntakeParts;
  readonly #claims: Claims;
  /** The pending list is known up to here; undefined once it is known to its end. */
  #knownTo: string | undefined = '0-0';
  #isLookingUp = false;
  #reads = 0;
  /** Size of a large entry of this stream, as far as it was seen, and how many were asked for last. */
  #entryBytes = 1;
  #lastCount = FIRST_READ / GROWTH;
  /** When to read again after the stream was empty. */
  pollAt = -Infinity;
  /** When to read on past what is buffered, where that has not been worked off by then. */
  pastAt = Infinity;
  /** When the stream last had an entry. */
  lastEntryAt: number;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
    this.#claims = new Claims(parts);
    this.lastEntryAt = parts.clock.now();
  }

  get isIdle(): boolean {
    return !this.#isLookingUp && !this.#claims.isUnderWay && this.#reads === 0;
  }

  /** Whether so many entries are pending that no more are taken into view. */
  get isFull(): boolean {
    return this.#parts.lanes.size >= this.#parts.settings.viewLimit;
  }

  /** Whether everything was seen: the pending list to its end, and then an empty stream. */
  isDry(now: number): boolean {
    return this.#knownTo === undefined && now < this.pollAt;
  }

  /** What to ask the server for now, if anything. */
  next(now: number, need: Need): (() => Promise<void>)[] {
    const { lanes, settings } = this.#parts;
    const asked: (() => Promise<void>)[] = [];
    if (this.#knownTo !== undefined && !this.#isLookingUp && !this.isFull) asked.push(() => this.#lookUp());
    const isShort = lanes.ready.fresh.size < (need.isCalm ? Math.max(settings.concurrency, settings.batchSize) : 1);
    const claimsFresh = lanes.unclaimed.fresh.size > 0 && isShort && (this.#bytesLeft > 0 || lanes.readySize === 0);
    const failing = lanes.unclaimed.failing.size > 0 ? need.failingWanted : 0;
    if (!this.#claims.isUnderWay && (claimsFresh || failing > 0))
      asked.push(() => this.#claims.claimNext({ takesFresh: claimsFresh, failing, bytes: this.#portion }));
    if (this.#canRead(now, need)) asked.push(() => this.read(need));
    return asked;
  }

  #canRead(now: number, { wanted, isCalm, blockMs }: Need): boolean {
    const { lanes, settings, target } = this.#parts;
    const { batchSize, concurrency } = settings;
    if (this.#knownTo !== undefined || this.isFull || this.#reads >= READS) return false;
    if (blockMs !== undefined) return this.#reads === 0;
    if (now < this.pollAt) return false;
    const isAhead = lanes.buffered + this.#reads * batchSize < BATCHES_AHEAD * batchSize + concurrency;
    const hasSpace = isAhead && this.#bytesLeft > 0 && lanes.unclaimed.fresh.size === 0;
    this.pastAt = hasSpace ? Infinity : Math.min(this.pastAt, now + PATIENCE_MS);
    if (hasSpace && isCalm) return true;
    // read on past the entries of busy keys, which are given back at once, while places are free
    if (wanted <= 0 || this.#reads > 0) return false;
    return lanes.size === 0 || (target.keyFields.length > 0 && (!isCalm || now >= this.pastAt));
  }

  /** Delivers an entry to be tried alone. Returns whether its body is still there. */
  async claimAlone(item: Item): Promise<boolean> {
    return (await this.#claims.claim([item], { isAlone: true })).length > 0;
  }

  get #bytesLeft(): number {
    return this.#parts.settings.bodyBytes - this.#parts.bodies.bytes;
  }

  /** Most bytes of one reply. */
  get #portion(): number {
    return Math.min(this.#bytesLeft / READS, this.#parts.settings.bodyBytes * PORTION);
  }

  /** Reads new entries. */
  async read({ blockMs, pollMs }: Pick<Need, 'blockMs' | 'pollMs'>): Promise<void> {
    const { group, settings, counts, clock } = this.#parts;
    const fitting = Math.floor(Math.max(this.#portion, (settings.bodyBytes * PORTION) / READS) / this.#entryBytes);
    const count = Math.max(1, Math.min(settings.batchSize, fitting, Math.ceil(this.#lastCount * GROWTH)));
    this.#reads++;
    try {
      const entries = await group.read(count, blockMs);
      const now = clock.now();
      for (const entry of entries) this.#add(entry, now);
      counts.read += entries.length;
      if (entries.length > 0) this.lastEntryAt = now;
      this.#lastCount = Math.max(count, FIRST_READ / GROWTH);
      this.pollAt = entries.length < count ? now + pollMs : -Infinity;
    } finally {
      this.#reads--;
    }
  }

  #add(entry: Entry, now: number): void {
    const { lanes, outbox, target, settings } = this.#parts;
    const key = orderingKeyOf(entry, target.keyFields);
    const item = freshItem(entry, sizeOf(entry));
    this.#entryBytes = Math.max(item.bytes, this.#entryBytes * 0.999);
    const isBufferFull = lanes.buffered >= (BATCHES_AHEAD + READS) * settings.batchSize + settings.concurrency;
    if (lanes.isWaiting(key) || ((isBufferFull || this.#bytesLeft <= 0) && lanes.has(key))) {
      item.entry = undefined;
      outbox.hold([item]);
    }
    lanes.add(key, item, now);
  }

  async #lookUp(): Promise<void> {
    const { group, lanes, counts, clock } = this.#parts;
    this.#isLookingUp = true;
    try {
      const { rows, isLast } = await group.lookUp(this.#knownTo!, PAGE, PAGE_BYTES);
      const now = clock.now();
      const deleted: { id: string; hasState: boolean }[] = [];
      for (const row of rows) {
        if (row.key === undefined) deleted.push({ id: row.id, hasState: false });
        else lanes.add(row.key, pendingItem(row.id, this.#knownOf(row, now)), now);
      }
      if (deleted.length > 0) await group.ack(deleted);
      counts.deleted += deleted.length;
      this.#knownTo = isLast ? undefined : rows.at(-1)!.id;
    } finally {
      this.#isLookingUp = false;
    }
  }

  #knownOf(row: PendingRow, now: number) {
    const { settings, clock } = this.#parts;
    const { bytes, unended, own, outages, crashes, idleMs } = row;
    const afterCrash = unended > 0 ? now - idleMs + delayAfter(unended, settings.backoffMs) : 0;
    const dueAt = row.dueAt > 0 ? row.dueAt - clock.epochMs() + now : afterCrash;
    return { bytes, unended, own, outages, crashes, hasState: own + outages + crashes > 0, dueAt };
  }
}
