import type { Clock } from '../clock.ts';
import type { DeadLetter } from '../dead-letters/letter.ts';
import { orderingKeyOf, sizeOf, type Entry } from '../entry.ts';
import type { PendingPage, PendingRow } from '../group/group.ts';
import type { Counts } from '../report.ts';
import type { Settings } from '../settings.ts';
import { KeyOrder, type BodyBudget } from './key-order.ts';
import { Outcomes, type Burial } from './outcomes.ts';
import { attemptsOf, delayAfter, leftPending, readNow, type PendingEntry } from './pending-entry.ts';

/** Pending entries looked up at a time, and the most bytes of bodies that the server looks at for that. */
const PAGE = 500;
const PAGE_BYTES = 4 * 2 ** 20;
/** Bodies kept while they wait, in batches: enough to find work while some keys are busy. */
const BATCHES_AHEAD = 4;
/** Reads under way at a time: the next one travels while the last one is worked on. */
const READS = 2;
/** Of the bytes that bodies may take, what one reply holds at most: while it is decoded, it takes its size twice. */
const PORTION = 1 / 8;
/** A read asks for so many times more than any before it brought, at most. */
const GROWTH = 8;
/** How long what is buffered may suffice before a run reads on past it, in milliseconds: that costs a second way. */
const PATIENCE_MS = 100;
/** No entry has reason to wait longer than this: what is due later was written by a clock that is ahead, in ms. */
const MAX_WAIT_MS = 900_000;

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

/** What to ask the server for. */
export interface Plan {
  /** The page of pending entries after an id. */
  readonly lookUp?: { readonly after: string; readonly count: number; readonly bytes: number };
  /** Pending entries whose bodies are wanted. */
  readonly claim?: readonly PendingEntry[];
  /** New entries. */
  readonly read?: { readonly count: number; readonly blockMs: number | undefined };
}

export interface WindowOptions {
  /** The fields that make the ordering key. */
  readonly keyFields: readonly string[];
  readonly settings: Settings;
  readonly counts: Counts;
  readonly budget: BodyBudget;
  readonly clock: Clock;
  /** How many entries the first read may ask for: how large they are is not known before. */
  readonly firstRead: number;
}

/**
 * The window of a shard over its stream, for as long as its lease is held: which entries are in view, which may start,
 * what to ask the server for, and what to report to it. It does no I/O: what it wants comes out as data.
 *
 * Entries come in in this order: first all that earlier runs left pending, oldest first, because they decide which keys
 * are blocked; then new ones. Nothing new is read while that list is not known to its end, or too long.
 */
export class Window {
  readonly #options: WindowOptions;
  readonly keys: KeyOrder;
  readonly outcomes = new Outcomes();
  /** Attempts of its entries that are under way. */
  inFlight = 0;
  /** The pending list is known up to here; undefined once it is known to its end. */
  #knownTo: string | undefined = '0-0';
  #isLookingUp = false;
  #isClaiming = false;
  #reads = 0;
  /** Size of a large entry of this stream, as far as it was seen, and the most that came at once. */
  #entryBytes = 1;
  #lastCount: number;
  /** When to read again after the stream was empty. */
  #pollAt = -Infinity;
  /** When to read on past what is buffered, where that has not been worked off by then. */
  #pastAt = Infinity;
  /** When the stream last had an entry. */
  #lastEntryAt: number;
  #isClosed = false;

  constructor(options: WindowOptions) {
    const { budget, settings, clock, firstRead } = options;
    this.#options = options;
    this.keys = new KeyOrder(budget, settings.maxDeliveries);
    this.#lastCount = firstRead / GROWTH;
    this.#lastEntryAt = clock.now();
  }

  get lastEntryAt(): number {
    return this.#lastEntryAt;
  }

  /** Whether nothing is under way: no attempt, no question to the server, nothing to report to it. */
  get isQuiet(): boolean {
    return this.inFlight + this.#reads === 0 && !this.#isLookingUp && !this.#isClaiming && this.outcomes.isEmpty;
  }

  /** Whether so many entries are pending that no more are taken into view. */
  get isFull(): boolean {
    return this.keys.size >= this.#options.settings.viewLimit;
  }

  /** Whether everything was seen: the pending list to its end, and then an empty stream. */
  isDry(now: number): boolean {
    return this.#knownTo === undefined && now < this.#pollAt;
  }

  /** Whether nothing of it can be attempted, and nothing is left to take in. */
  isSpent(now: number): boolean {
    const { readySize, suspects, unclaimed } = this.keys;
    const waiting = readySize + suspects.size + unclaimed.fresh.size + unclaimed.failing.size;
    return waiting === 0 && (this.isFull || this.isDry(now));
  }

  /** The next times at which there may be something to do. */
  nextEvents(): number[] {
    return [this.outcomes.sendAt, this.keys.nextDueAt, this.#pollAt, this.#pastAt];
  }

  /** The stream has an entry after all: it is read at once. */
  pollNow(): void {
    this.#pollAt = -Infinity;
  }

  /** What to ask the server for now; it counts as under way until `lookUpEnded` and the like. */
  plan(now: number, need: Need): Plan {
    const { settings } = this.#options;
    const { keys } = this;
    const isLookingUp = this.#knownTo !== undefined && !this.#isLookingUp && !this.isFull;
    const lookUp = isLookingUp ? { after: this.#knownTo!, count: PAGE, bytes: PAGE_BYTES } : undefined;
    this.#isLookingUp ||= isLookingUp;
    const isShort = keys.ready.fresh.size < (need.isCalm ? Math.max(settings.concurrency, settings.batchSize) : 1);
    const takesFresh = keys.unclaimed.fresh.size > 0 && isShort && (this.#bytesLeft > 0 || keys.readySize === 0);
    const failing = keys.unclaimed.failing.size > 0 ? need.failingWanted : 0;
    const claim = !this.#isClaiming && (takesFresh || failing > 0) ? this.#toClaim(takesFresh, failing) : undefined;
    this.#isClaiming ||= claim !== undefined;
    const read = this.#canRead(now, need) ? { count: this.#nextCount(), blockMs: need.blockMs } : undefined;
    if (read) this.#reads++;
    return { lookUp, claim, read };
  }

  /** A page of the pending list has come. */
  lookedUp({ rows, isLast }: PendingPage, now: number): void {
    for (const row of rows) {
      if (row.key === undefined) this.#countGone(row.id);
      else this.keys.add(row.key, leftPending(row.id, this.#knownOf(row, now)), now);
    }
    this.#knownTo = isLast ? undefined : rows.at(-1)!.id;
  }

  lookUpEnded(): void {
    this.#isLookingUp = false;
  }

  /** New entries have come, of so many that were asked for. */
  read(entries: readonly Entry[], asked: number, { pollMs }: Pick<Need, 'pollMs'>, now: number): void {
    this.#options.counts.read += entries.length;
    if (this.#isClosed) return; // they stay pending, for the next run
    for (const entry of entries) this.#add(entry, now);
    if (entries.length > 0) this.#lastEntryAt = now;
    this.#lastCount = Math.max(entries.length, this.#lastCount);
    this.#pollAt = entries.length < asked ? now + pollMs : -Infinity;
  }

  readEnded(): void {
    this.#reads--;
  }

  /** The bodies of pending entries have come, of those that still have one. */
  claimed(
    asked: readonly PendingEntry[],
    bodies: readonly Entry[],
    { now, isAlone = false }: { now: number; isAlone?: boolean },
  ): void {
    const { counts } = this.#options;
    let at = 0;
    for (const pending of asked) {
      const body = bodies[at];
      if (body?.id !== pending.id) {
        this.gone(pending, now);
        continue;
      }
      at++;
      pending.bytes ||= sizeOf(body);
      if (pending.isRecovered) counts.recovered++;
      pending.isRecovered = false;
      this.keys.arrived(pending, body, isAlone);
    }
  }

  claimEnded(): void {
    this.#isClaiming = false;
  }

  /** An attempt of these entries begins. */
  begin(entries: readonly PendingEntry[]): void {
    this.inFlight++;
    for (const pending of entries) pending.isCountedFailed = false;
  }

  /** An attempt has ended. */
  end(): void {
    this.inFlight--;
  }

  /** The target took an entry. */
  taken(pending: PendingEntry): void {
    this.outcomes.taken(pending);
  }

  /** An attempt failed, and its entry stays pending until it is due again. */
  retry(pending: PendingEntry, dueAt: number): void {
    this.#options.counts.failed++;
    pending.isCountedFailed = true;
    pending.hasState = true;
    this.outcomes.hold(this.keys.defer(pending, dueAt));
    this.outcomes.failed(pending);
  }

  /** What is known of a failed entry has changed. */
  rewrite(pending: PendingEntry): void {
    if (pending.place !== 'gone') this.outcomes.failed(pending);
  }

  /** An entry is given up: it becomes a dead letter, and does not stay pending. */
  bury(pending: PendingEntry, letter: DeadLetter): void {
    if (pending.isCountedFailed) this.#options.counts.failed--;
    pending.isCountedFailed = false;
    this.keys.take(pending);
    this.outcomes.bury({ pending, letter, key: pending.keyQueue.key });
  }

  /** The body of an entry is no longer there: nothing can be done for it. */
  gone(pending: PendingEntry, now: number): void {
    this.#countGone(pending.id);
    this.keys.done(pending, now);
  }

  /** Entries are acknowledged; then, and not before, the next ones of their keys may go. */
  acknowledged(taken: readonly PendingEntry[], now: number): void {
    this.#options.counts.processed += taken.length;
    for (const pending of taken) this.keys.done(pending, now);
  }

  /** A dead letter was written, or its entry was no longer there. */
  buried({ pending }: Burial, wasThere: boolean, now: number): void {
    const { counts } = this.#options;
    if (wasThere) counts.deadLettered++;
    else counts.deleted++;
    this.keys.done(pending, now);
  }

  /** A dead letter was refused: its entry stays pending, and is tried again. */
  burialRefused({ pending }: Burial, now: number): void {
    this.retry(pending, now + delayAfter(attemptsOf(pending), this.#options.settings.backoffMs));
  }

  /** The window is of no use any more. */
  close(): void {
    this.#isClosed = true;
    this.keys.close();
  }

  #countGone(id: string): void {
    this.#options.counts.deleted++;
    this.outcomes.gone(id);
  }

  #canRead(now: number, { wanted, isCalm, blockMs }: Need): boolean {
    const { settings, keyFields } = this.#options;
    const { batchSize, concurrency } = settings;
    const { keys } = this;
    if (this.#knownTo !== undefined || this.isFull || this.#reads >= READS) return false;
    if (blockMs !== undefined) return this.#reads === 0;
    if (now < this.#pollAt) return false;
    const isAhead = keys.buffered + this.#reads * batchSize < BATCHES_AHEAD * batchSize + concurrency;
    const hasSpace = isAhead && this.#bytesLeft > 0 && keys.unclaimed.fresh.size === 0;
    this.#pastAt = hasSpace ? Infinity : Math.min(this.#pastAt, now + PATIENCE_MS);
    if (hasSpace && isCalm) return true;
    // read on past the entries of busy keys, which are given back at once, while places are free
    if (wanted <= 0 || this.#reads > 0) return false;
    return keys.size === 0 || (keyFields.length > 0 && (!isCalm || now >= this.#pastAt));
  }

  get #bytesLeft(): number {
    return this.#options.budget.left;
  }

  /** Most bytes of one reply. */
  get #portion(): number {
    const { limit, left } = this.#options.budget;
    return Math.min(left / READS, limit * PORTION);
  }

  /** How many entries a read asks for. */
  #nextCount(): number {
    const { settings, budget } = this.#options;
    const fitting = Math.floor(Math.max(this.#portion, (budget.limit * PORTION) / READS) / this.#entryBytes);
    return Math.max(1, Math.min(settings.batchSize, fitting, Math.ceil(this.#lastCount * GROWTH)));
  }

  #add(body: Entry, now: number): void {
    const { settings, keyFields } = this.#options;
    const { keys } = this;
    const key = orderingKeyOf(body, keyFields);
    const pending = readNow(body, sizeOf(body));
    this.#entryBytes = Math.max(pending.bytes, this.#entryBytes * 0.999);
    const isBufferFull = keys.buffered >= (BATCHES_AHEAD + READS) * settings.batchSize + settings.concurrency;
    if (keys.isWaiting(key) || ((isBufferFull || this.#bytesLeft <= 0) && keys.has(key))) {
      pending.body = undefined;
      this.outcomes.hold([pending]);
    }
    keys.add(key, pending, now);
  }

  /** Heads that failed before, up to a number, and others, up to a size. */
  #toClaim(takesFresh: boolean, failing: number): PendingEntry[] {
    const { unclaimed } = this.keys;
    const claim: PendingEntry[] = [];
    while (claim.length < failing && unclaimed.failing.size > 0) claim.push(unclaimed.failing.shift()!);
    if (takesFresh) this.#chooseFresh(claim);
    return claim;
  }

  /** Heads that wait for their body, and for each some of those behind it, as far as memory allows. */
  #chooseFresh(claim: PendingEntry[]): void {
    const { batchSize } = this.#options.settings;
    const heads = this.keys.unclaimed.fresh;
    const each = Math.max(1, Math.floor(batchSize / heads.size));
    let bytesLeft = this.#portion;
    for (let size = 0; heads.size > 0 && size < batchSize && (bytesLeft > 0 || size === 0);) {
      let pending = heads.shift();
      for (let n = 0; pending && n < each && (n === 0 || bytesLeft > 0); n++, pending = pending.next) {
        if (n > 0 && (pending.body || pending.dueAt > 0)) break;
        claim.push(pending);
        size++;
        bytesLeft -= pending.bytes;
      }
    }
  }

  #knownOf(row: PendingRow, now: number) {
    const { settings, clock } = this.#options;
    const { bytes, unended, own, outages, crashes, idleMs } = row;
    const afterCrash = unended > 0 ? now - idleMs + delayAfter(unended, settings.backoffMs) : 0;
    const dueAt = row.dueAt > 0 ? Math.min(row.dueAt - clock.epochMs(), MAX_WAIT_MS) + now : afterCrash;
    return { bytes, unended, own, outages, crashes, hasState: own + outages + crashes > 0, dueAt };
  }
}
