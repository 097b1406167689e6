import type { Clock } from './clock.ts';
import { delayAfter } from './back-off.ts';
import { trialOf, type Group, type Holder } from './group.ts';
import { freshItem, idsOf, pendingItem, type Item, type Lanes } from './lanes.ts';
import type { Counts } from './report.ts';
import { PENDING_LIMIT, type Settings } from './settings.ts';
import type { Target } from './target.ts';

/** Pending entries looked up at a time. */
const PAGE = 200;
/** Bodies kept while they wait, in batches: enough to find work while some keys are busy. */
const BATCHES_AHEAD = 4;
/** How soon a stream that was empty is asked again, in milliseconds. */
const POLL_MS = 100;

export interface IntakeParts {
  group: Group;
  lanes: Lanes;
  target: Target;
  settings: Settings;
  counts: Counts;
  clock: Clock;
}

/**
 * Brings entries into the window: first all that earlier runs left pending, oldest first, because they decide which
 * keys are blocked; then new ones. Nothing new is read while that list is not known to its end, or too long.
 */
export class Intake {
  readonly #group: Group;
  readonly #lanes: Lanes;
  readonly #target: Target;
  readonly #settings: Settings;
  readonly #counts: Counts;
  readonly #clock: Clock;
  /** The pending list is known up to here; undefined once it is known to its end. */
  #knownTo: string | undefined = '0-0';
  /** When to read again after the stream was empty. */
  #pollAt = 0;

  constructor(parts: IntakeParts) {
    this.#group = parts.group;
    this.#lanes = parts.lanes;
    this.#target = parts.target;
    this.#settings = parts.settings;
    this.#counts = parts.counts;
    this.#clock = parts.clock;
  }

  /** Whether so many entries are pending that no more are taken into view. */
  get isFull(): boolean {
    return this.#lanes.size >= PENDING_LIMIT;
  }

  /** When the next read is worth it, where the stream was found empty; 0 where it was not. */
  get pollAt(): number {
    return this.#pollAt;
  }

  /** Whether the window needs more, and there may be more. */
  wantsMore(now: number): boolean {
    const { concurrency, batchSize } = this.#settings;
    if (this.#lanes.ready >= Math.max(concurrency, batchSize)) return false;
    if (!this.isFull && this.#knownTo !== undefined) return true;
    if (this.#lanes.suspects > 0) return false; // they wait until nothing else is under way
    if (this.#lanes.unclaimed > 0) return true; // whatever is buffered may wait behind them
    if (this.#lanes.buffered >= BATCHES_AHEAD * batchSize + concurrency) return false;
    return !this.isFull && now >= this.#pollAt;
  }

  /** Takes in one portion. Returns the entries that must wait behind a failed one of their key. */
  async take(): Promise<Item[]> {
    if (!this.isFull && this.#knownTo !== undefined) await this.#lookUp(this.#knownTo);
    else if (this.#lanes.unclaimed > 0) await this.#claim();
    else return this.#read();
    return [];
  }

  async #claim(): Promise<void> {
    const items: Item[] = [];
    while (items.length < this.#settings.batchSize && this.#lanes.unclaimed > 0) {
      items.push(this.#lanes.takeUnclaimed()!);
    }
    for (const item of await this.claim(items, 'stream-consumer')) this.#lanes.claimed(item);
  }

  /** Delivers pending entries to this run. Returns those that still have a body. */
  async claim(items: readonly Item[], holder: Holder): Promise<Item[]> {
    const entries = await this.#group.claim(idsOf(items), holder);
    const now = this.#clock.now();
    let at = 0;
    return items.filter((item) => {
      if (entries[at]?.id !== item.id) {
        this.#counts.deleted++;
        this.#lanes.done(item, now);
        return false;
      }
      item.entry = entries[at++];
      item.deliveries++;
      if (item.isRecovered) this.#counts.recovered++;
      item.isRecovered = false;
      return true;
    });
  }

  async #lookUp(after: string): Promise<void> {
    const page = await this.#group.pendingAfter(after, PAGE);
    const entries = new Map((await this.#group.peek(page.map(({ id }) => id))).map((entry) => [entry.id, entry]));
    const now = this.#clock.now();
    const deleted: string[] = [];
    for (const { id, consumer, idleMs, deliveries } of page) {
      const entry = entries.get(id);
      const dueAt = now - idleMs + delayAfter(deliveries, this.#settings.backoffMs);
      const diedAlone = deliveries >= this.#settings.maxDeliveries ? trialOf(consumer) : undefined;
      if (entry) this.#lanes.add(this.#target.keyOf(entry), pendingItem(id, deliveries, dueAt, diedAlone), now);
      else deleted.push(id);
    }
    if (deleted.length > 0) await this.#group.ack(deleted);
    this.#counts.deleted += deleted.length;
    this.#knownTo = page.length < PAGE ? undefined : page.at(-1)!.id;
  }

  async #read(): Promise<Item[]> {
    const { batchSize } = this.#settings;
    const entries = await this.#group.read(batchSize);
    const now = this.#clock.now();
    const held: Item[] = [];
    for (const entry of entries) {
      const item = freshItem(entry);
      this.#lanes.add(this.#target.keyOf(entry), item, now);
      if (this.#lanes.hold(item)) held.push(item);
    }
    this.#counts.read += entries.length;
    this.#pollAt = entries.length < batchSize ? now + POLL_MS : 0;
    return held;
  }
}
