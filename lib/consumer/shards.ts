import type { Attempts } from './attempts.ts';
import { LINGER_POLL_MS, POLL_MS } from './intake.ts';
import type { RunParts } from './run-parts.ts';
import type { Shard } from './shard.ts';

/** How long a run keeps a shard while others wait, in milliseconds. */
const TURN_MS = 10_000;
/** A shard from which nothing was started for so long, because all places were taken, is given back. */
const UNSERVED_MS = 250;
/** How soon a shard is looked at again that another run holds, in milliseconds: of many runs, each looks at all. */
const HELD_LOOK_MS = 250;
/** How soon shards of others are looked at again while all places are taken, in milliseconds. */
const BUSY_LOOK_MS = 1000;

/** Chooses which shards the run works on: another one while places are free, fewer while all are taken. */
export class Shards {
  readonly all: readonly Shard[];
  readonly #parts: RunParts;
  readonly #attempts: () => Attempts;
  readonly #release: (shard: Shard) => void;
  #isTaking = false;
  #lookedAt = -Infinity;
  #lookAt = 0;

  constructor(all: readonly Shard[], parts: RunParts, attempts: () => Attempts, release: (shard: Shard) => void) {
    this.all = all;
    this.#parts = parts;
    this.#attempts = attempts;
    this.#release = release;
  }

  /** Those whose lease the run holds, the one it holds longest in front. */
  owned: Shard[] = [];
  /** Those of them that attempts may start from. */
  active: Shard[] = [];

  /** Heads that an attempt may start with, over all shards. */
  get readySize(): number {
    return this.active.reduce((sum, { lanes }) => sum + lanes.readySize, 0);
  }

  /** Whether shards are being looked at or taken. */
  get isTaking(): boolean {
    return this.#isTaking;
  }

  /** Whether a shard that the run could have has work to do. */
  get isAnyWaiting(): boolean {
    return this.#free.some(hasWork);
  }

  /** When the others should be looked at again. */
  nextEvent(now: number): number {
    const isDue = this.#free.length > 0 && !this.#isTaking && this.#lookAt > now;
    return isDue ? this.#lookAt : Infinity;
  }

  get #free(): Shard[] {
    return this.all.filter(({ isOwned, isReleasing, reason }) => !isOwned && !isReleasing && reason === undefined);
  }

  /** Looks which shards are owned and active now. */
  refresh(now: number): void {
    this.owned = this.all.filter(({ isOwned }) => isOwned).sort((a, b) => a.ownedSince - b.ownedSince);
    this.active = this.owned.filter((shard) => shard.isActive(now));
  }

  /** Gives back what others could serve better, and looks for more to do. */
  tend(now: number, { isLingering }: { isLingering: boolean }): void {
    const attempts = this.#attempts();
    const free = attempts.places - this.readySize;
    this.#giveBack(now, free);
    for (const shard of this.owned) if (shard.isLeaving && shard.isQuiet && !shard.isReleasing) this.#release(shard);
    if (this.#isTaking || this.#free.length === 0) return;
    const isShort = free > 0 || this.active.length === 0;
    this.#lookAt = this.#lookedAt + (!isShort ? BUSY_LOOK_MS : isLingering ? LINGER_POLL_MS : POLL_MS);
    const isDue = now >= this.#lookAt;
    // with all it has worked off, it does not wait for the next look to take one that it has seen work in
    const isIdle =
      free > 0 && this.isAnyWaiting && this.owned.every((shard) => shard.isQuiet && shard.intake.isDry(now));
    if (isShort && (isDue || isIdle)) void this.#take(free, { isLingering, isDue });
    else if (isDue) void this.#lookAround();
  }

  #giveBack(now: number, free: number): void {
    if (this.active.length < 2 && !this.isAnyWaiting) return;
    for (const shard of this.active) {
      const isUnserved = free < 0 && shard.inFlight === 0 && this.active.length > 1;
      shard.unservedSince = isUnserved ? (shard.unservedSince ?? now) : undefined;
      if (now - (shard.unservedSince ?? now) >= UNSERVED_MS) shard.leave();
      else if (free <= 0 && now - shard.ownedSince >= TURN_MS && this.isAnyWaiting) shard.leave();
    }
  }

  /** Takes free shards with work until there is enough for the free places; while lingering, all that are free. */
  async #take(free: number, { isLingering, isDue }: { isLingering: boolean; isDue: boolean }): Promise<void> {
    if (isDue) await this.#lookAround();
    const waiting = this.#free.filter(hasWork).sort((a, b) => a.releasedAt - b.releasedAt);
    const idle = isLingering ? this.#free.filter(({ look }) => look.state === 'idle') : [];
    const chosen: Shard[] = [];
    let expected = 0;
    for (const shard of waiting) {
      if (expected >= Math.max(free, 1)) break;
      chosen.push(shard);
      expected += Math.max(1, shard.look.pending + (shard.look.lag ?? 0));
    }
    this.#isTaking = true;
    await this.#guard([...chosen, ...idle], (shard) => this.#acquire(shard));
    this.#isTaking = false;
  }

  async #acquire(shard: Shard): Promise<void> {
    const level = await shard.acquire();
    if (level === undefined) return;
    const { breaker } = this.#attempts();
    breaker.remember(level);
    if (level > breaker.level) await shard.group.setLevel(breaker.level);
  }

  /** Looks at the shards that the run does not have, all in one packet. */
  async #lookAround(): Promise<void> {
    this.#isTaking = true;
    const now = this.#parts.clock.now();
    const isDue = ({ look, lookedAt }: Shard) => look.state !== 'held' || now >= lookedAt + HELD_LOOK_MS;
    await this.#guard(this.#free.filter(isDue), async (shard) => {
      shard.lookedAt = now;
      shard.look = await shard.group.look();
    });
    this.#lookedAt = this.#parts.clock.now();
    this.#isTaking = false;
  }

  async #guard(shards: readonly Shard[], work: (shard: Shard) => Promise<void>): Promise<void> {
    await Promise.all(shards.map((shard) => work(shard).catch((error: unknown) => shard.failed(error))));
    this.refresh(this.#parts.clock.now());
    this.#parts.changed();
  }
}

const hasWork = ({ look }: Shard): boolean => look.state === 'work' || look.state === 'missing';
