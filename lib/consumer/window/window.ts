import { compareIds } from '#lib/core/entry-id.ts';
import type { Clock } from '../clock.ts';
import type { DeadLetter } from '../dead-letters/letter.ts';
import { orderingKeyOf, sizeOf, type Entry } from '../entry.ts';
import type { Buried, PendingPage, PendingRow } from '../group/group.ts';
import type { Counts } from '../report.ts';
import type { Settings } from '../settings.ts';
import { KeyOrder, type BodyBudget } from './key-order.ts';
import { UnsentResults, type PendingBurial } from './unsent-results.ts';
import { attemptsOf, delayAfter, leftPending, readNow, type PendingEntry } from './pending-entry.ts';

/** Maximum pending entries per page, and bytes of bodies that the server looks at for it. */
const PAGE = 250;
const PAGE_BYTES = 256 * 1024;
/** Maximum waiting bodies, in batches. */
const BATCHES_AHEAD = 4;
/** Reads in flight at a time: the next one travels while the last one is processed. */
const READS = 2;
/** Maximum share of the bytes for bodies in one reply: while it is decoded, it takes its size twice. */
const PORTION = 1 / 8;
/** A read asks for at most this many times the largest one so far. */
const GROWTH = 8;
/** An entry may be this many times as large as the largest one so far. */
const LARGER = 4;
/**
 * How long buffered entries may last before a run reads past them, once one of them was attempted and at most, in
 * milliseconds: that costs another round trip, and a delivery more if the shard is given back.
 */
const PATIENCE_MS = 100;
const MAX_PATIENCE_MS = 1000;
/** Longest wait of an entry after its failure, in milliseconds. A later due time comes from a clock that is ahead. */
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
  readonly listPending?: { readonly after: string; readonly count: number; readonly bytes: number };
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
  /** Maximum entries of the first read, and their bytes. */
  readonly firstRead: { readonly count: number; readonly bytes: number };
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
  readonly results = new UnsentResults();
  /** Number of attempts in flight. */
  inFlight = 0;
  /** Position up to which the pending list is known; undefined when all of it is. */
  #knownTo: string | undefined = '0-0';
  /** The furthest entry that the group has delivered, as far as known: it may have been moved back since. */
  #deliveredTo = '0-0';
  #isListing = false;
  #isClaiming = false;
  /** The reads in flight: how many entries they ask for, and about how many bytes that makes. */
  readonly #reads: { readonly count: number; readonly bytes: number; readonly isBlocking: boolean }[] = [];
  /** Bytes of the bodies that are being claimed. */
  #claimedBytes = 0;
  /** How many times more entries to load ahead: the window was dry before they arrived. */
  #factor = 1;
  #hasRead = false;
  /** Size of the largest entry so far, and the most entries of one read. */
  #entryBytes: number;
  #lastCount: number;
  /** When to read again after an empty read. */
  #pollAt = -Infinity;
  /** When to read past the buffered entries if they are not processed by then. */
  #pastAt = Infinity;
  /** How many entries the last read past them was to bring; 0 if the last read was none. */
  #pastCount = 0;
  /** Whether an attempt has ended since entries were last short. */
  #hasEnded = false;
  /** When the stream last had an entry; -Infinity if it had none yet. */
  #lastEntryAt = -Infinity;
  #isClosed = false;

  constructor(options: WindowOptions) {
    const { budget, settings, firstRead } = options;
    this.#options = options;
    this.keys = new KeyOrder(budget, settings.maxDeliveries);
    this.#lastCount = firstRead.count / GROWTH;
    this.#entryBytes = firstRead.bytes / firstRead.count / LARGER; // they were measured
  }

  get lastEntryAt(): number {
    return this.#lastEntryAt;
  }

  /** Whether nothing is in flight: no attempt, no request to the server, no result to report. */
  get isQuiet(): boolean {
    return this.inFlight + this.#reads.length === 0 && !this.#isListing && !this.#isClaiming && this.results.isEmpty;
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
    return [this.results.sendAt, this.keys.nextDueAt, this.#pollAt, this.#pastAt];
  }

  /** The stream has an entry after all: reads it at once. */
  pollNow(): void {
    this.#pollAt = -Infinity;
  }

  /** The requests to send now. They count as in flight until `listingEnded` and the like. */
  plan(now: number, need: Need): Plan {
    const { keys } = this;
    const { budget } = this.#options;
    const isListing = this.#knownTo !== undefined && !this.#isListing && !this.isFull;
    const listPending = isListing ? { after: this.#knownTo!, count: PAGE, bytes: PAGE_BYTES } : undefined;
    this.#isListing ||= isListing;
    const room = (need.isCalm ? this.#aheadOf(need) : 1) - keys.ready.fresh.size;
    const hasBytes = this.#bytesLeft > 0 || budget.isUnused;
    const takesFresh = keys.unclaimed.fresh.size > 0 && room > 0 && hasBytes;
    const failing = keys.unclaimed.failing.size > 0 && hasBytes ? need.failingWanted : 0;
    const claim =
      !this.#isClaiming && (takesFresh || failing > 0) ? this.#toClaim(takesFresh ? room : 0, failing) : undefined;
    if (claim) this.#claiming(claim);
    const read = this.#canRead(now, need) ? { count: this.#nextCount(need), blockMs: need.blockMs } : undefined;
    if (read) this.#reading(read.count, read.blockMs !== undefined);
    return { listPending, claim, read };
  }

  /** A page of the pending list has arrived. */
  listed({ rows, isLast }: PendingPage, now: number): void {
    for (const row of rows) {
      if (row.key === undefined) this.results.missing(row.id);
      else this.keys.add(row.key, leftPending(row.id, this.#knownOf(row, now)), now);
    }
    this.#deliveredTo = rows.at(-1)?.id ?? this.#deliveredTo;
    this.#knownTo = isLast ? undefined : this.#deliveredTo;
  }

  listingEnded(): void {
    this.#isListing = false;
  }

  /** New entries have arrived, of the requested number. Returns whether the group had delivered some before. */
  read(entries: readonly Entry[], asked: number, { pollMs }: Pick<Need, 'pollMs'>, now: number): boolean {
    this.#options.counts.read += entries.length;
    if (entries.length < asked) this.#factor = 1;
    else if (this.keys.waiting === 0 && this.#hasRead) this.#factor *= 2;
    this.#hasRead = true;
    if (this.#isClosed) return false; // they stay pending, for the next run
    const isAgain = this.#forgetReplaced(entries, now);
    for (const entry of entries) this.#add(entry, now);
    if (entries.length > 0) this.#lastEntryAt = now;
    this.#lastCount = Math.max(entries.length, this.#lastCount);
    this.#pollAt = entries.length < asked ? now + pollMs : -Infinity;
    return isAgain;
  }

  /** The first of the reads in flight has ended. */
  readEnded(): void {
    this.#options.budget.coming -= this.#reads.shift()?.bytes ?? 0;
  }

  /** The bodies of pending entries have arrived, of those that still have one. */
  claimed(
    asked: readonly PendingEntry[],
    bodies: readonly Entry[],
    { now, isIsolated = false }: { now: number; isIsolated?: boolean },
  ): void {
    const { counts } = this.#options;
    let index = 0;
    for (const pending of asked) {
      const body = bodies[index];
      if (body?.id !== pending.id) {
        this.#missing(pending, now);
        continue;
      }
      index++;
      pending.bytes ||= sizeOf(body);
      if (pending.isRecovered) counts.recovered++;
      pending.isRecovered = false;
      this.keys.arrived(pending, body, isIsolated);
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
    this.#hasEnded = true;
  }

  /** The target took an entry. */
  processed(pending: PendingEntry): void {
    this.results.processed(pending);
  }

  /** An attempt failed, and its entry stays pending until it is due again. */
  retry(pending: PendingEntry, dueAt: number): void {
    this.#options.counts.failed++;
    pending.isCountedFailed = true;
    pending.hasState = true;
    this.results.giveBack(this.keys.defer(pending, dueAt));
    this.results.failed(pending);
  }

  /** The state of a failed entry has changed. */
  rewrite(pending: PendingEntry): void {
    if (pending.stage !== 'removed') this.results.failed(pending);
  }

  /** Gives an entry up: it becomes a dead letter. */
  bury(pending: PendingEntry, letter: DeadLetter): void {
    if (pending.isCountedFailed) this.#options.counts.failed--;
    this.keys.giveUp(pending);
    this.results.bury({ pending, letter, key: pending.keyQueue.key });
  }

  /** Entries are acknowledged. Only now may the next ones of their keys go. */
  acknowledged(processed: readonly PendingEntry[], now: number): void {
    this.#options.counts.processed += processed.length;
    for (const pending of processed) this.keys.done(pending, now);
  }

  /** A dead letter was written, unless its entry was deleted, or is not pending any more. */
  buried({ pending }: PendingBurial, result: Buried, now: number): void {
    const { counts } = this.#options;
    if (result === 'buried') counts.deadLettered++;
    if (result === 'deleted') counts.deleted++;
    this.keys.done(pending, now);
  }

  /** These of the entries are not pending any more. One in progress, such as for its dead letter, shows that itself. */
  missed(entries: readonly PendingEntry[], ids: readonly string[], now: number): void {
    if (ids.length === 0) return;
    const isMissing = new Set(ids);
    for (const pending of entries) {
      if (isMissing.has(pending.id) && pending.stage !== 'inProgress') this.#missing(pending, now);
    }
  }

  /** So many of the missing entries were deleted indeed. */
  forgotten(deleted: number): void {
    this.#options.counts.deleted += deleted;
  }

  /** A dead letter was refused: its entry stays pending, and is tried again. */
  burialRefused({ pending }: PendingBurial, now: number): void {
    this.retry(pending, now + delayAfter(attemptsOf(pending), this.#options.settings.backoffMs));
  }

  /** Ends the window. */
  close(): void {
    this.#isClosed = true;
    this.keys.close();
  }

  /** Entries that are read a second time replace those of the window: an operator has moved the group back. */
  #forgetReplaced(entries: readonly Entry[], now: number): boolean {
    const [first, last] = [entries[0]?.id, entries.at(-1)?.id];
    if (first === undefined || last === undefined) return false;
    const isAgain = compareIds(first, this.#deliveredTo) <= 0;
    if (isAgain) this.keys.forgetFrom(first, now);
    if (compareIds(last, this.#deliveredTo) > 0) this.#deliveredTo = last;
    return isAgain;
  }

  /** An entry was deleted, or is no longer pending, so there is nothing to acknowledge. */
  #missing(pending: PendingEntry, now: number): void {
    if (pending.stage === 'removed' || this.keys.isHeldUp(pending)) return;
    this.results.missing(pending.id);
    this.keys.done(pending, now);
  }

  #claiming(claim: readonly PendingEntry[]): void {
    this.#isClaiming = true;
    this.#claimedBytes = claim.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#options.budget.coming += this.#claimedBytes;
  }

  #reading(count: number, isBlocking: boolean): void {
    const bytes = count * this.#entryBytes * LARGER;
    this.#reads.push({ count, bytes, isBlocking });
    this.#options.budget.coming += bytes;
  }

  #canRead(now: number, need: Need): boolean {
    const { wanted, isCalm, blockMs } = need;
    const { budget } = this.#options;
    const { keys } = this;
    if (this.#knownTo !== undefined || this.isFull || !this.#canSendRead) return false;
    if (blockMs !== undefined) return this.#reads.length === 0;
    if (now < this.#pollAt) return false;
    const isShort = this.#coming <= this.#aheadOf(need) / 2;
    const hasSpace = isShort && this.#bytesLeft > 0 && keys.unclaimed.fresh.size === 0;
    if (hasSpace) this.#hasEnded = false;
    const patienceMs = this.#hasEnded ? PATIENCE_MS : MAX_PATIENCE_MS;
    this.#pastAt = hasSpace ? Infinity : Math.min(this.#pastAt, now + patienceMs);
    if (hasSpace && isCalm) return true;
    if (this.#bytesLeft <= 0 && !budget.isUnused) return false; // another shard, or this one, will free some
    // while slots are free, read past the entries of busy keys, which are given back at once
    if (wanted <= 0 || this.#reads.length > 0) return false;
    return keys.size === 0 || this.#mayReadPast(now, isCalm);
  }

  #mayReadPast(now: number, isCalm: boolean): boolean {
    return this.#options.keyFields.length > 0 && (!isCalm || now >= this.#pastAt);
  }

  /** A blocking read has its own connection, so the reply to a later read could come first. */
  get #canSendRead(): boolean {
    return this.#reads.length < READS && !this.#reads.some(({ isBlocking }) => isBlocking);
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

  /** Number of entries to read; past the entries of busy keys, as many as are wanted, and twice as many each time. */
  #nextCount(need: Need): number {
    const { settings, budget } = this.#options;
    const room = Math.ceil(this.#aheadOf(need)) - this.#coming;
    const wanted = room > 0 ? room : Math.max(need.wanted, 2 * this.#pastCount);
    const most = Math.min(settings.batchSize, wanted);
    this.#pastCount = room > 0 ? 0 : most;
    const fitting = Math.floor(Math.max(this.#portion, (budget.limit * PORTION) / READS) / (this.#entryBytes * LARGER));
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
      this.results.giveBack([pending]);
    }
    keys.add(key, pending, now);
  }

  /** Up to `failing` heads that failed before, and about `fresh` other entries. */
  #toClaim(fresh: number, failing: number): PendingEntry[] {
    const { unclaimed } = this.keys;
    const claim: PendingEntry[] = [];
    let bytesLeft = this.#portion;
    for (let next = unclaimed.failing.first; next && claim.length < failing; next = unclaimed.failing.first) {
      if (claim.length > 0 && next.bytes > bytesLeft) break;
      claim.push(unclaimed.failing.shift() ?? next);
      bytesLeft -= next.bytes;
    }
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
    const { bytes, unconfirmedDeliveries, entryFailures, targetFailures, crashes, idleMs } = row;
    const afterCrash =
      unconfirmedDeliveries > 0 ? now - idleMs + delayAfter(unconfirmedDeliveries, settings.backoffMs) : 0;
    const dueAt = row.dueAt > 0 ? Math.min(row.dueAt - clock.epochMs(), MAX_WAIT_MS - idleMs) + now : afterCrash;
    return {
      bytes,
      unconfirmedDeliveries,
      entryFailures,
      targetFailures,
      crashes,
      hasState: entryFailures + targetFailures + crashes > 0,
      dueAt,
    };
  }
}
