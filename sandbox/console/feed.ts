import type { Post } from '../stack/api.ts';
import { chooseCities } from '../demo/dataset.ts';

const TICK_MS = 100;
/** Number of cities whose population changes. */
const CITIES = 500;
/** Maximum concurrent calls; more would only wait for each other. */
const MAX_IN_FLIGHT = 50;

/** Enqueues changed source records at a steady rate. */
export class Feed {
  /** Records per second; 0 stops the feed. */
  perSecond = 0;
  enqueued = 0;
  /** Number of calls that were refused or got no response. */
  failed = 0;
  readonly #post: Post;
  readonly #cities = chooseCities(CITIES);
  readonly #timer: NodeJS.Timeout;
  #due = 0;
  #inFlight = 0;

  constructor(post: Post) {
    this.#post = post;
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
    const city = this.#cities[(this.enqueued + this.#inFlight) % this.#cities.length]!;
    const population = Math.round(city.record.population * (0.9 + Math.random() / 5));
    this.#inFlight++;
    try {
      await this.#post('/mdm/source-enqueue', { ...city, record: { ...city.record, population } });
      this.enqueued++;
    } catch {
      this.failed++;
    } finally {
      this.#inFlight--;
    }
  }
}
