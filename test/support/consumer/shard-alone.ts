import type { Source } from '#lib/consumer/dispatch/attempt.ts';
import type { Entry } from '#lib/consumer/entry.ts';
import type { PendingRow } from '#lib/consumer/group/group.ts';
import { Counts } from '#lib/consumer/report.ts';
import type { Settings } from '#lib/consumer/settings.ts';
import { BodyBudget } from '#lib/consumer/window/key-order.ts';
import { Window, type Need } from '#lib/consumer/window/window.ts';

export const SETTINGS = {
  ...{ batchSize: 10, concurrency: 4, viewLimit: 1000, maxDeliveries: 3, backoffMs: 100, refusalLimit: 20 },
  ...{ leaseMs: 1000, trim: false, lingerMs: 0, budgetMs: 60_000, bodyBytes: 1e6 },
} as Settings;

export const NEED: Need = { wanted: 4, failingWanted: 0, isCalm: true, ahead: 40, pollMs: 100, blockMs: undefined };

/** A time that stands until it is moved, 0 at first. */
export class StandingClock {
  at = 0;
  readonly now = () => this.at;
  epochMs = () => this.at;
  readonly timer = () => () => {};
}

/** A shard of the engine whose server is a list: what the window asks for comes at once. */
export class ShardAlone implements Source {
  readonly stream: string;
  readonly window: Window;
  readonly counts = new Counts();
  readonly budget: BodyBudget;
  readonly letters: { id: string; reason: string; errorType: string; deliveries: number }[] = [];
  /** What a read of so many new entries brings. */
  unread: (count: number) => (readonly [n: number, key: string, bytes?: number])[] = () => [];
  isOver = false;
  isActive = () => !this.isOver;
  readonly #clock: StandingClock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: StandingClock, settings: Settings = SETTINGS, { keyFields = ['k'], stream = 's' } = {}) {
    this.stream = stream;
    this.#clock = clock;
    this.budget = new BodyBudget(settings.bodyBytes);
    this.window = new Window({ ...this, settings, keyFields, clock, firstRead: 20 });
    this.window.lookedUp({ rows: [], isLast: true }, clock.at);
    this.window.lookUpEnded();
  }

  /** New entries come in, `[id, key]` or with a size each. */
  read(...entries: readonly (readonly [n: number, key: string, bytes?: number])[]): void {
    const read = entries.map(([n, key, bytes = 1]) => {
      const fields = ['k', key, 'v', 'x'.repeat(bytes)];
      return { id: `${n}-0`, fields, hasBytes: key === '\ufffd' };
    });
    for (const entry of read) this.#entries.set(entry.id, entry);
    this.window.read(read, 100, { pollMs: 100 }, this.#clock.at);
  }

  /** An entry that an earlier run left pending comes into view. */
  lookUp(n: number, key: string, known: Partial<PendingRow>): void {
    const id = `${n}-0`;
    this.#entries.set(id, { id, fields: ['k', key, 'v', 'x'] });
    const row = { id, key, bytes: 10, idleMs: 1e9, unended: 0, own: 0, outages: 0, crashes: 0, dueAt: 0, ...known };
    this.window.lookedUp({ rows: [row], isLast: true }, this.#clock.at);
  }

  /** What the window asks the server for comes, and what it reports arrives there. */
  exchange(need: Partial<Need> = {}): void {
    const { window } = this;
    const now = this.#clock.at;
    window.keys.wake(now);
    const { claim, read } = window.plan(now, { ...NEED, failingWanted: 4, ...need });
    if (read) this.read(...this.unread(read.count));
    if (read) window.readEnded();
    if (claim) {
      const bodies = claim.map(({ id }) => this.#entries.get(id)!);
      window.claimed(claim, bodies, { now });
      window.claimEnded();
    }
    const { taken, burials } = window.outcomes.take();
    window.acknowledged(taken, now);
    for (const burial of burials) {
      const { sourceId: id, ...letter } = burial.letter;
      this.letters.push({ id, ...letter });
      window.buried(burial, 'buried', now);
    }
    window.outcomes.isSending = false;
  }
}
