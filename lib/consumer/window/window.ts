import { compareIds } from '#lib/core/entry-id.ts';
import type { Clock } from '../clock.ts';
import type { DeadLetter } from '../dead-letters/letter.ts';
import { orderingKeyOf, sizeOf, type Entry } from '../entry.ts';
import type { Buried, PendingPage, PendingRow } from '../group/group.ts';
import type { Counts } from '../report.ts';
import type { Settings } from '../settings.ts';
import { KeyOrder, type BodyBudget } from './key-order.ts';
import { Outcomes, type Burial } from './outcomes.ts';
import { attemptsOf, delayAfter, leftPending, readNow, type PendingEntry } from './pending-entry.ts';

/** Maximum pending entries per page, and bytes of bodies that the server looks at for it. */
const PAGE = 500;
const PAGE_BYTES = 256 * 1024;
/** Maximum waiting bodies, in batches. */
const BATCHES_AHEAD = 4;
/** Reads in flight at a time: the next one travels while the last one is processed. */
const READS = 2;
/** Maximum share of the bytes for bodies in one reply: while it is decoded, it takes its size twice. */
const PORTION = 1 / 8;
/** A read asks for at most this many times the largest one so far. */
const GROWTH = 8;
/** How long buffered entries may last before a run reads past them, in milliseconds: that costs another round trip. */
const PATIENCE_MS = 100;
/** Longest wait of an entry, in milliseconds. A later due time comes from a clock that is ahead. */
const MAX_WAIT_MS = 900_000;

/** A run's need of entries. */
export interface Need {
  /** Number of heads that could start beyond the ready ones. */
  readonly wanted: number;
  /** The same for heads that failed before. */
  readonly failingWanted: number;
  /** Whether the target works, so that entries may be loaded ahead of time. */
  readonly isCalm: boolean;
  /** Number of entries to load ahead of time, as long as that is soon enough. */
  readonly ahead: number;
  /** How soon to read an empty stream again, in milliseconds. */
  readonly pollMs: number;
  /** How long the server may block for an entry, if there is nothing else to do. */
  readonly blockMs: number | undefined;
}

/** The requests to the server. */
export interface Plan {
  /** The page of pending entries after an id. */
  readonly lookUp?: { readonly after: string; readonly count: number; readonly bytes: number };
  /** Pending entries whose bodies to claim. */
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
  /** Maximum entries of the first read, before their size is known. */
  readonly firstRead: number;
}

/**
 * The window of a shard over its stream, while its lease is held: which entries are known, which may start, what to ask
 * the server for, and what to report to it. It does no I/O: it returns its requests as data.
 *
 * It takes entries in this order: first all that earlier runs left pending, oldest first, because they decide which
 * keys are blocked; then new ones. It reads nothing new until that list is fully known, or while it is too long.
 */
export class Window {
  readonly #options: WindowOptions;
  readonly keys: KeyOrder;
  readonly outcomes = new Outcomes();
  /** Number of attempts in flight. */
  inFlight = 0;
  /** Position up to which the pending list is known; undefined when all of it is. */
  #knownTo: string | undefined = '0-0';
  /** The last entry that the group has delivered, as far as known. */
  #deliveredTo: string | undefined;
  #isLookingUp = false;
  #isClaiming = false;
  /** The reads in flight: how many entries they ask for, and about how many bytes that makes. */
  readonly #reads: { readonly count: number; readonly bytes: number }[] = [];
  /** Bytes of the bodies that are being claimed. */
  #claimedBytes = 0;
  /** How many times more entries to load ahead: the window was dry before they arrived. */
  #factor = 1;
  #hasRead = false;
  /** Size of the largest entry so far, and the most entries of one read. */
  #entryBytes = 1;
  #lastCount: number;
  /** When to read again after an empty read. */
  #pollAt = -Infinity;
  /** When to read past the buffered entries if they are not processed by then. */
  #pastAt = Infinity;
  /** When the stream last had an entry; -Infinity if it had none yet. */
  #lastEntryAt = -Infinity;
  #isClosed = false;

  constructor(options: WindowOptions) {
    const { budget, settings, firstRead } = options;
    this.#options = options;
    this.keys = new KeyOrder(budget, settings.maxDeliveries);
    this.#lastCount = firstRead / GROWTH;
  }

  get lastEntryAt(): number {
    return this.#lastEntryAt;
  }

  /** Whether nothing is in flight: no attempt, no request to the server, no result to report. */
  get isQuiet(): boolean {
    return this.inFlight + this.#reads.length === 0 && !this.#isLookingUp && !this.#isClaiming && this.outcomes.isEmpty;
  }

  /** Whether too many entries are pending to know more. */
  get isFull(): boolean {
    return this.keys.size >= this.#options.settings.viewLimit;
  }

  /** Whether everything was seen: the whole pending list, because nothing is read before, and then an empty stream. */
  isDry(now: number): boolean {
    return now < this.#pollAt;
  }

  /** Whether nothing is known, and the last read found the stream empty. */
  get isEmpty(): boolean {
    return this.keys.size === 0 && this.#pollAt > -Infinity;
  }

  /** Whether nothing can be attempted, and nothing is left to read. */
  isSpent(now: number): boolean {
    const { readySize, suspects, unclaimed } = this.keys;
    const waiting = readySize + suspects.size + unclaimed.fresh.size + unclaimed.failing.size;
    return waiting === 0 && (this.isFull || this.isDry(now));
  }

  /** Whether an entry could be attempted now for the first time. */
  get hasFresh(): boolean {
    const { ready, unclaimed } = this.keys;
    return ready.fresh.size + ready.hot.size + unclaimed.fresh.size > 0;
  }

  /** The next times at which there may be something to do. */
  nextEvents(): number[] {
    return [this.outcomes.sendAt, this.keys.nextDueAt, this.#pollAt, this.#pastAt];
  }

  /** The stream has an entry after all: reads it at once. */
  pollNow(): void {
    this.#pollAt = -Infinity;
  }

  /** The requests to send now. They count as in flight until `lookUpEnded` and the like. */
  plan(now: number, need: Need): Plan {
    const { keys } = this;
    const isLookingUp = this.#knownTo !== undefined && !this.#isLookingUp && !this.isFull;
    const lookUp = isLookingUp ? { after: this.#knownTo!, count: PAGE, bytes: PAGE_BYTES } : undefined;
    this.#isLookingUp ||= isLookingUp;
    const room = (need.isCalm ? this.#aheadOf(need) : 1) - keys.ready.fresh.size;
    const takesFresh = keys.unclaimed.fresh.size > 0 && room > 0 && (this.#bytesLeft > 0 || keys.readySize === 0);
    const failing = keys.unclaimed.failing.size > 0 ? need.failingWanted : 0;
    const claim =
      !this.#isClaiming && (takesFresh || failing > 0) ? this.#toClaim(takesFresh ? room : 0, failing) : undefined;
    if (claim) this.#claiming(claim);
    const read = this.#canRead(now, need) ? { count: this.#nextCount(need), blockMs: need.blockMs } : undefined;
    if (read) this.#reading(read.count);
    return { lookUp, claim, read };
  }

  /** A page of the pending list has arrived. */
  lookedUp({ rows, isLast }: PendingPage, now: number): void {
    for (const row of rows) {
      if (row.key === undefined) this.outcomes.missing(row.id);
      else this.keys.add(row.key, leftPending(row.id, this.#knownOf(row, now)), now);
    }
    this.#deliveredTo = rows.at(-1)?.id ?? this.#deliveredTo;
    this.#knownTo = isLast ? undefined : this.#deliveredTo;
  }

  lookUpEnded(): void {
    this.#isLookingUp = false;
  }

  /** New entries have arrived, of the requested number. */
  read(entries: readonly Entry[], asked: number, { pollMs }: Pick<Need, 'pollMs'>, now: number): void {
    this.#options.counts.read += entries.length;
    if (entries.length < asked) this.#factor = 1;
    else if (this.keys.waiting === 0 && this.#hasRead) this.#factor *= 2;
    this.#hasRead = true;
    if (this.#isClosed) return; // they stay pending, for the next run
    this.#forgetReplaced(entries, now);
    for (const entry of entries) this.#add(entry, now);
    if (entries.length > 0) this.#lastEntryAt = now;
    this.#lastCount = Math.max(entries.length, this.#lastCount);
    this.#pollAt = entries.length < asked ? now + pollMs : -Infinity;
  }

  /** The first of the reads in flight has ended. */
  readEnded(): void {
    this.#options.budget.coming -= this.#reads.shift()?.bytes ?? 0;
  }

  /** The bodies of pending entries have arrived, of those that still have one. */
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
        this.outcomes.missing(pending.id); // or it is pending for nobody, and there is nothing to acknowledge
        this.keys.done(pending, now);
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
    this.#options.budget.coming -= this.#claimedBytes;
    this.#claimedBytes = 0;
  }

  /** An attempt of these entries begins. */
  begin(entries: readonly PendingEntry[]): void {
    this.inFlight++;
    for (const pending of entries) {
      pending.isCountedFailed = false;
      this.keys.begin(pending);
    }
  }

  /** An attempt of these entries ended before it reached the target. */
  putBack(entries: readonly PendingEntry[]): void {
    for (const pending of entries) this.keys.putBack(pending, this.#options.clock.now());
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

  /** The state of a failed entry has changed. */
  rewrite(pending: PendingEntry): void {
    if (pending.place !== 'gone') this.outcomes.failed(pending);
  }

  /** Gives an entry up: it becomes a dead letter. */
  bury(pending: PendingEntry, letter: DeadLetter): void {
    if (pending.isCountedFailed) this.#options.counts.failed--;
    this.keys.take(pending);
    this.outcomes.bury({ pending, letter, key: pending.keyQueue.key });
  }

  /** Entries are acknowledged. Only now may the next ones of their keys go. */
  acknowledged(taken: readonly PendingEntry[], now: number): void {
    this.#options.counts.processed += taken.length;
    for (const pending of taken) this.keys.done(pending, now);
  }

  /** A dead letter was written, unless its entry was deleted, or is not pending any more. */
  buried({ pending }: Burial, outcome: Buried, now: number): void {
    const { counts } = this.#options;
    if (outcome === 'buried') counts.deadLettered++;
    if (outcome === 'deleted') counts.deleted++;
    this.keys.done(pending, now);
  }

  /** So many of the missing entries were deleted indeed. */
  forgotten(deleted: number): void {
    this.#options.counts.deleted += deleted;
  }

  /** A dead letter was refused: its entry stays pending, and is tried again. */
  burialRefused({ pending }: Burial, now: number): void {
    this.retry(pending, now + delayAfter(attemptsOf(pending), this.#options.settings.backoffMs));
  }

  /** Ends the window. */
  close(): void {
    this.#isClosed = true;
    this.keys.close();
  }

  /** Entries that are read a second time replace those of the window: an operator has moved the group back. */
  #forgetReplaced(entries: readonly Entry[], now: number): void {
    const [first, last] = [entries[0]?.id, entries.at(-1)?.id];
    if (first === undefined) return;
    const isAgain = this.#deliveredTo !== undefined && compareIds(first, this.#deliveredTo) <= 0;
    if (isAgain) this.keys.forgetFrom(first, now);
    this.#deliveredTo = last;
  }

  #claiming(claim: readonly PendingEntry[]): void {
    this.#isClaiming = true;
    this.#claimedBytes = claim.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#options.budget.coming += this.#claimedBytes;
  }

  #reading(count: number): void {
    const bytes = count * this.#entryBytes;
    this.#reads.push({ count, bytes });
    this.#options.budget.coming += bytes;
  }

  #canRead(now: number, need: Need): boolean {
    const { wanted, isCalm, blockMs } = need;
    const { keyFields } = this.#options;
    const { keys } = this;
    if (this.#knownTo !== undefined || this.isFull || this.#reads.length >= READS) return false;
    if (blockMs !== undefined) return this.#reads.length === 0;
    if (now < this.#pollAt) return false;
    const isShort = this.#coming <= this.#aheadOf(need) / 2;
    const hasSpace = isShort && this.#bytesLeft > 0 && keys.unclaimed.fresh.size === 0;
    this.#pastAt = hasSpace ? Infinity : Math.min(this.#pastAt, now + PATIENCE_MS);
    if (hasSpace && isCalm) return true;
    // while places are free, read past the entries of busy keys, which are given back at once
    if (wanted <= 0 || this.#reads.length > 0) return false;
    return keys.size === 0 || (keyFields.length > 0 && (!isCalm || now >= this.#pastAt));
  }

  get #bytesLeft(): number {
    return this.#options.budget.left;
  }

  /** Maximum bytes of one reply. */
  get #portion(): number {
    const { limit, left } = this.#options.budget;
    return Math.min(left / READS, limit * PORTION);
  }

  /** Number of waiting bodies, and of those that reads in flight ask for. */
  get #coming(): number {
    return this.#reads.reduce((sum, { count }) => sum + count, this.keys.waiting);
  }

  /** Number of waiting bodies to have. */
  #aheadOf({ ahead }: Need): number {
    return Math.min(ahead * this.#factor, BATCHES_AHEAD * this.#options.settings.batchSize);
  }

  /** Number of entries to read; past the entries of busy keys, a batch. */
  #nextCount(need: Need): number {
    const { settings, budget } = this.#options;
    const room = Math.ceil(this.#aheadOf(need)) - this.#coming;
    const most = room > 0 ? Math.min(settings.batchSize, room) : settings.batchSize;
    const fitting = Math.floor(Math.max(this.#portion, (budget.limit * PORTION) / READS) / this.#entryBytes);
    return Math.max(1, Math.min(most, fitting, Math.ceil(this.#lastCount * GROWTH)));
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

  /** Heads that failed before, up to a number, and about so many other entries. */
  #toClaim(fresh: number, failing: number): PendingEntry[] {
    const { unclaimed } = this.keys;
    const claim: PendingEntry[] = [];
    while (claim.length < failing && unclaimed.failing.size > 0) claim.push(unclaimed.failing.shift()!);
    if (fresh > 0) this.#chooseFresh(claim, fresh);
    return claim;
  }

  /** Heads that wait for their body, and some entries behind each, as far as memory allows. */
  #chooseFresh(claim: PendingEntry[], number: number): void {
    const heads = this.keys.unclaimed.fresh;
    const most = Math.min(number, this.#options.settings.batchSize);
    const each = Math.max(1, Math.floor(most / heads.size));
    let bytesLeft = this.#portion;
    for (let size = 0; heads.size > 0 && size < most && (bytesLeft > 0 || size === 0);) {
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
