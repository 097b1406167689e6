import type { Attempts } from './attempts.ts';
import { LINGER_POLL_MS, POLL_MS } from './intake.ts';
import type { RunParts } from './run-parts.ts';
import type { Shard } from './shard.ts';
import type { Shards } from './shards.ts';

/** How long one shard waits for its next entry in one command, in milliseconds. */
const BLOCK_MS = 400;

/** What a run may do now. */
export interface Phase {
  /** Whether it still takes entries in. */
  readonly isTakingIn: boolean;
  /** Heads that an attempt may start with, over all shards. */
  readonly readySize: number;
  /** Failing heads that are worth their bodies now. */
  readonly failingWanted: number;
  /** How long a run with nothing to do goes on looking. */
  readonly lingerUntil: number;
  /** No attempt starts from here on. */
  readonly lastStart: number;
}

/** What a run asks the server about its shards, and reports to it. */
export class Exchanges {
  readonly #parts: RunParts;
  readonly #shards: Shards;
  readonly #attempts: Attempts;

  constructor(parts: RunParts, shards: Shards, attempts: Attempts) {
    this.#parts = parts;
    this.#shards = shards;
    this.#attempts = attempts;
  }

  /** Sends what there is to send for a shard, in one packet. */
  send(shard: Shard, now: number, phase: Phase): void {
    const attempts = this.#attempts;
    if (shard.isReleasing) return;
    if (shard.isGroupMissing && shard.inFlight === 0) return this.#makeGroup(shard);
    let asked: (() => Promise<void>)[] = [];
    if (phase.isTakingIn && shard.isActive(now)) {
      asked = shard.intake.next(now, {
        wanted: attempts.places - phase.readySize,
        failingWanted: phase.failingWanted,
        isCalm: attempts.breaker.mode === 'closed',
        pollMs: this.#parts.settings.lingerMs > 0 ? LINGER_POLL_MS : POLL_MS,
        blockMs: this.#blockMs(shard, now, phase),
      });
    }
    shard.exchange(asked, attempts.inFlight + phase.readySize === 0);
  }

  /** Gives a shard back, and looks where that leaves it. */
  release(shard: Shard): void {
    shard.isReleasing = true;
    shard.do(async () => {
      await shard.release({ isDrained: false, restMs: 0 }).finally(() => (shard.isReleasing = false));
      shard.look = await shard.group.look();
    });
  }

  /** One shard waits for its next entry in a blocking command, while nothing else is to be done. */
  #blockMs(shard: Shard, now: number, { lingerUntil, lastStart }: Phase): number | undefined {
    if (lingerUntil <= now || this.#shards.all.length > 1) return undefined;
    if (!shard.isQuiet || shard.lanes.readySize > 0 || shard.lanes.nextDueAt < Infinity) return undefined;
    return Math.max(1, Math.min(BLOCK_MS, lingerUntil - now, lastStart - now));
  }

  #makeGroup(shard: Shard): void {
    shard.isReleasing = true;
    shard.do(() => shard.makeGroup().finally(() => (shard.isReleasing = false)));
  }
}
