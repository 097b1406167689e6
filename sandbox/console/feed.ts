import type { Post } from '../stack/api.ts';
import type { CityRecord } from '../stack/city.ts';

const TICK_MS = 100;
/** Maximum concurrent calls; more would only wait for each other. */
const MAX_IN_FLIGHT = 50;

/** How often a change replaces its record, or submits and then deletes a duplicate: one in this many. */
const REPLACE_EVERY = 5;
const DELETE_EVERY = 10;

/** Enqueues changed source records at a steady rate: submits, replaces and deletes. */
export class Feed {
  /** Records per second; 0 stops the feed. */
  perSecond = 0;
  enqueued = 0;
  /** Number of calls that were refused or got no response. */
  failed = 0;
  readonly #post: Post;
  readonly #cities: readonly CityRecord[];
  readonly #timer: NodeJS.Timeout;
  #due = 0;
  #inFlight = 0;

  constructor(post: Post, cities: readonly CityRecord[]) {
    this.#post = post;
    this.#cities = cities;
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.#due = Math.min(this.#due + (this.perSecond * TICK_MS) / 1000, this.perSecond);
    for (; this.#due >= 1 && this.#inFlight < MAX_IN_FLIGHT; this.#due--) void this.#enqueue();
  }

  async #enqueue(): Promise<void> {
    const turn = this.enqueued + this.#inFlight;
    this.#inFlight++;
    try {
      for (const change of this.#changesOf(turn)) await this.#post('/mdm/source-enqueue', change);
      this.enqueued++;
    } catch {
      this.failed++;
    } finally {
      this.#inFlight--;
    }
  }

  #changesOf(turn: number): object[] {
    const city = this.#cities[turn % this.#cities.length]!;
    const population = Math.round(city.record.population * (0.9 + Math.random() / 5));
    const changed = { ...city, record: { ...city.record, population } };
    if (turn % DELETE_EVERY === 0) {
      const duplicate = { ...changed, sourcePKey: `duplicate-of-${city.sourcePKey}` };
      const { businessEntity, sourceSystem, sourcePKey } = duplicate;
      return [duplicate, { businessEntity, sourceSystem, sourcePKey, operation: 'delete' }];
    }
    return [turn % REPLACE_EVERY === 0 ? { ...changed, operation: 'replace' } : changed];
  }
}
