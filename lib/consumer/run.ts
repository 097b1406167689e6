import { Attempts, type AttemptsParts } from './attempts.ts';
import { Bell } from './bell.ts';
import type { Clock } from './clock.ts';
import { isNoGroup, LeaseLost } from './group.ts';
import { Intake } from './intake.ts';
import { idsOf, Lanes, type Item } from './lanes.ts';
import type { Lease } from './lease.ts';
import { Outbox } from './outbox.ts';
import type { StopReason } from './report.ts';
import { Times } from './times.ts';

/** A run stays for an entry that is due so soon; later ones are left to the next run, in milliseconds. */
const WORTH_WAITING_MS = 5000;
/** No target keeps its consumer away for longer than this, in milliseconds. */
const MAX_REST_MS = 900_000;
/** How soon to try again what the server did not answer, in milliseconds. */
const RETRY_MS = 200;

export interface RunParts extends Omit<AttemptsParts, 'lanes' | 'outbox'> {
  lease: Lease;
}

/**
 * The work of a run, under its lease. One loop looks at what there is to do whenever something has changed: it starts
 * attempts, and talks to the server at most once at a time for each purpose.
 */
export class Run {
  readonly #parts: RunParts;
  readonly #clock: Clock;
  readonly #lease: Lease;
  readonly #times: Times;
  #lanes!: Lanes;
  #intake!: Intake;
  #outbox!: Outbox;
  #attempts!: Attempts;
  #stop: StopReason | undefined;
  #failure: Error | undefined;
  #isGroupMissing = false;
  #restUntil = 0;
  readonly #busy = { taking: false, flushing: false, renewing: false };
  #retryAt = 0;
  readonly #bell: Bell;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.#lease = parts.lease;
    this.#bell = new Bell(parts.clock);
    this.#times = new Times(parts.clock.now(), parts.settings.budgetMs);
  }

  /** For how long the target asked to be left alone after this run, in milliseconds. */
  get restMs(): number {
    return Math.max(0, Math.min(this.#restUntil - this.#clock.now(), MAX_REST_MS));
  }

  /** Works until there is a reason to stop. A group that is missing is made, once. */
  async carry(): Promise<StopReason> {
    do {
      this.#isGroupMissing = false;
      this.#open();
      await this.#loop();
      await this.#handBack();
    } while (this.#isGroupMissing && (await this.#makeGroup()));
    if (this.#failure) throw this.#failure;
    return this.#stop ?? 'drained';
  }

  #open(): void {
    this.#lanes = new Lanes();
    this.#outbox = new Outbox({ ...this.#parts, lanes: this.#lanes });
    const parts = { ...this.#parts, lanes: this.#lanes, outbox: this.#outbox };
    this.#intake = new Intake(parts);
    this.#attempts = new Attempts(parts, {
      mayStart: (now) => this.#mayStart(now),
      changed: () => this.#bell.ring(),
      stop: (reason) => (this.#stop ??= reason),
      rest: (ms) => (this.#restUntil = Math.max(this.#restUntil, this.#clock.now() + ms)),
    });
  }

  async #loop(): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      this.#lanes.wake(now);
      this.#attempts.fill();
      this.#checkTime(now);
      if (this.#isEnding ? this.#isSettled(now) : this.#isDone(now)) return;
      this.#exchange(now);
      await this.#bell.wait(this.#nextEvent(now));
    }
  }

  get #isEnding(): boolean {
    return this.#stop !== undefined || this.#isGroupMissing;
  }

  #mayStart(now: number): boolean {
    return !this.#isEnding && now >= this.#restUntil && now < this.#lastStart;
  }

  get #lastStart(): number {
    return Math.min(this.#times.lastStart(this.#attempts.longestMs), this.#lease.validUntil);
  }

  #checkTime(now: number): void {
    if (now >= this.#lease.validUntil) this.#stop ??= 'lease-lost';
    if (now >= this.#lastStart) this.#stop ??= 'deadline';
    if (this.#restUntil > Math.min(now + WORTH_WAITING_MS, this.#lastStart)) this.#stop ??= 'upstream-unavailable';
    if (now >= this.#lease.validUntil || now >= this.#times.giveUp) this.#attempts.giveUp();
  }

  /** Whether nothing is under way, and nothing can be done soon. */
  #isDone(now: number): boolean {
    const { ready, suspects, nextDueAt } = this.#lanes;
    if (!this.#isIdle || ready > 0 || suspects > 0 || this.#intake.wantsMore(now)) return false;
    if (nextDueAt <= Math.min(now + WORTH_WAITING_MS, this.#lastStart)) return false;
    this.#stop = this.#intake.isFull ? 'backpressure' : 'drained';
    return true;
  }

  /** Whether a run that ends has nothing more to wait for. */
  #isSettled(now: number): boolean {
    const isLeaseOver = now >= this.#lease.validUntil && this.#attempts.inFlight === 0;
    return this.#isIdle || isLeaseOver || now >= this.#times.end;
  }

  get #isIdle(): boolean {
    return this.#attempts.inFlight + this.#outbox.size === 0 && !this.#busy.taking && !this.#busy.flushing;
  }

  /** Talks to the server where there is something to say, all in one packet. */
  #exchange(now: number): void {
    if (now < this.#retryAt) return;
    const takes = !this.#isEnding && !this.#busy.taking && this.#intake.wantsMore(now);
    const { ready, suspects } = this.#lanes;
    const triesAlone = suspects > 0 && ready === 0 && this.#isIdle && this.#mayStart(now);
    const isSending = takes || this.#attempts.inFlight === 0;
    if (!this.#busy.flushing && this.#outbox.isDue(now, isSending)) this.#do('flushing', () => this.#outbox.flush());
    if (takes) this.#do('taking', async () => this.#outbox.hold(await this.#intake.take()));
    else if (triesAlone) this.#do('taking', () => this.#attempts.tryAlone(this.#lanes.takeSuspect()!, this.#intake));
    if (now >= this.#lease.renewAt && !this.#busy.renewing) this.#do('renewing', () => this.#lease.renew());
  }

  #do(what: 'taking' | 'flushing' | 'renewing', deed: () => Promise<void>): void {
    this.#busy[what] = true;
    deed()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#busy[what] = false;
        this.#bell.ring();
      });
  }

  /** What was under way may have happened or not, so the run ends; the next one finds out from the pending list. */
  #failed(error: unknown): void {
    if (isNoGroup(error)) {
      this.#isGroupMissing = true;
    } else if (error instanceof LeaseLost) {
      this.#stop ??= 'lease-lost';
      this.#lease.lose();
    } else {
      this.#stop ??= 'failed';
      this.#failure ??= error as Error;
      this.#retryAt = this.#clock.now() + RETRY_MS;
    }
  }

  /** NOGROUP is also what a read answers once the lease has expired. Returns whether work can go on. */
  async #makeGroup(): Promise<boolean> {
    const { group, counts, log } = this.#parts;
    try {
      await this.#lease.renew();
      if (counts.groupsCreated > 0) this.#stop ??= 'group-destroyed';
      else if (await group.create()) counts.groupsCreated++;
    } catch (error) {
      this.#failed(error);
    }
    log.warn('group missing', { groupsCreated: counts.groupsCreated });
    return this.#stop === undefined;
  }

  /** What was delivered but not attempted does not count as a delivery. */
  async #handBack(): Promise<void> {
    if (this.#isGroupMissing || this.#clock.now() >= this.#lease.validUntil) return;
    const { group, log } = this.#parts;
    const byDeliveries = Map.groupBy(this.#lanes.takeUnstarted(), ({ deliveries }) => deliveries - 1);
    const giveBack = ([deliveries, items]: [number, Item[]]) => group.giveBack(idsOf(items), deliveries, MAX_REST_MS);
    await Promise.all(Array.from(byDeliveries, giveBack)) // due at once: no back-off is longer than that rest
      .catch((error: unknown) => log.warn('entries not handed back', { error }));
  }

  #nextEvent(now: number): number {
    const { renewAt, validUntil } = this.#lease;
    const later = [renewAt, validUntil, this.#restUntil, this.#retryAt, this.#intake.pollAt, ...this.#times.all];
    const flushAt = this.#busy.flushing ? Infinity : Math.max(this.#outbox.dueAt, this.#retryAt);
    const ends = this.#isEnding ? Infinity : this.#lastStart;
    return Math.min(flushAt, ends, this.#lanes.nextDueAt, ...later.filter((time) => time > now));
  }
}
