import type { AttemptSource } from '#lib/consumer/dispatch/attempt.ts';
import type { Entry } from '#lib/consumer/entry.ts';
import type { PendingRow } from '#lib/consumer/group/group.ts';
import { Counts } from '#lib/consumer/report.ts';
import type { Settings } from '#lib/consumer/settings.ts';
import { BodyBudget } from '#lib/consumer/window/key-order.ts';
import { Window, type Need } from '#lib/consumer/window/window.ts';

export const SETTINGS = {
  batchSize: 10,
  concurrency: 4,
  viewLimit: 1000,
  maxDeliveries: 3,
  backoffMs: 100,
  refusalLimit: 20,
  leaseMs: 1000,
  trim: false,
  lingerMs: 0,
  budgetMs: 60_000,
  bodyBytes: 1e6,
} as Settings;

export const NEED: Need = { wanted: 4, failingWanted: 0, isCalm: true, ahead: 40, pollMs: 100, blockMs: undefined };

/** A clock that a test moves; it begins at 0. */
export class StandingClock {
  nowMs = 0;
  readonly now = () => this.nowMs;
  epochMs = () => this.nowMs;
  readonly timer = () => () => {};
}

/** A shard of the engine without a server: what the window asks for arrives at once. */
export class MemoryShard implements AttemptSource {
  readonly stream: string;
  readonly window: Window;
  readonly counts = new Counts();
  readonly budget: BodyBudget;
  readonly letters: { id: string; reason: string; errorType: string; deliveries: number }[] = [];
  /** The entries that a read of `count` returns. */
  unread: (count: number) => (readonly [n: number, key: string, bytes?: number])[] = () => [];
  isOver = false;
  isActive = () => !this.isOver;
  readonly #clock: StandingClock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: StandingClock, settings: Settings = SETTINGS, { keyFields = ['k'], stream = 's' } = {}) {
    this.stream = stream;
    this.#clock = clock;
    this.budget = new BodyBudget(settings.bodyBytes);
    this.window = new Window({ ...this, settings, keyFields, clock, firstRead: { count: 20, bytes: 0 } });
    this.window.listed({ rows: [], isLast: true }, clock.nowMs);
    this.window.listingEnded();
  }

  /** New entries arrive: `[id, key]`, or with a size each. */
  read(...entries: readonly (readonly [n: number, key: string, bytes?: number])[]): void {
    const read = entries.map(([n, key, bytes = 1]) => {
      const fields = ['k', key, 'v', 'x'.repeat(bytes)];
      return { id: `${n}-0`, fields, hasBytes: key === '\ufffd' };
    });
    for (const entry of read) this.#entries.set(entry.id, entry);
    this.window.read(read, 100, { pollMs: 100 }, this.#clock.nowMs);
  }

  /** Lists an entry that an earlier run left pending. */
  listPending(n: number, key: string, known: Partial<PendingRow>): void {
    const id = `${n}-0`;
    this.#entries.set(id, { id, fields: ['k', key, 'v', 'x'] });
    const row = {
      id,
      key,
      bytes: 10,
      idleMs: known.dueAt === undefined ? 1e9 : 0, // the report of a failure resets it
      unconfirmedDeliveries: 0,
      entryFailures: 0,
      targetFailures: 0,
      crashes: 0,
      dueAt: 0,
      ...known,
    };
    this.window.listed({ rows: [row], isLast: true }, this.#clock.nowMs);
  }

  /** Answers the window's requests, and confirms its results. */
  exchange(need: Partial<Need> = {}): void {
    const { window } = this;
    const now = this.#clock.nowMs;
    window.keys.wake(now);
    const { claim, read } = window.plan(now, { ...NEED, failingWanted: 4, ...need });
    if (read) this.read(...this.unread(read.count));
    if (read) window.readEnded();
    if (claim) {
      const bodies = claim.map(({ id }) => this.#entries.get(id)!);
      window.claimed(claim, bodies, { now });
      window.claimEnded();
    }
    const { processed, burials } = window.results.take();
    window.acknowledged(processed, now);
    for (const burial of burials) {
      const { sourceId: id, ...letter } = burial.letter;
      this.letters.push({ id, ...letter });
      window.buried(burial, 'buried', now);
    }
    window.results.isSending = false;
  }
}
