import type { Log } from '../../log.ts';
import { Attempts } from './attempts.ts';
import { systemClock, type Clock } from './clock.ts';
import { isNoGroup, LeaseLost, type Group } from './group.ts';
import { Intake } from './intake.ts';
import { Lanes } from './lanes.ts';
import { Lease } from './lease.ts';
import { Counts, reportOf, type Report, type StopReason } from './report.ts';
import type { Settings } from './settings.ts';
import type { Target } from './target.ts';
import { Times } from './times.ts';

/** A run stays for an entry that is due so soon; later ones are left to the next run, in milliseconds. */
const WORTH_WAITING_MS = 5000;
/** No target keeps its consumer away for longer than this, in milliseconds. */
const MAX_REST_MS = 900_000;
/** Outcomes are told to the server together, at the latest after so many milliseconds. */
const FLUSH_AFTER_MS = 3;
/** How soon to try again what the server did not answer, in milliseconds. */
const RETRY_MS = 200;

export interface Parts {
  group: Group;
  target: Target;
  settings: Settings;
  log: Log;
  /** Default: the time of the system. */
  clock?: Clock;
}

/**
 * One run of the consumer: takes the lease, carries entries from the group to the target until nothing is left to do
 * or its time is over, and gives the lease back.
 *
 * @throws what Redis answered where it failed under the run; what was acknowledged by then is.
 */
export async function consume(parts: Parts): Promise<Report> {
  const { group, clock = systemClock, settings } = parts;
  const lease = new Lease(group, clock, settings.leaseMs);
  const acquired = await lease.acquire();
  const counts = new Counts();
  if (acquired !== 'acquired') {
    return reportOf(group, counts, clock, acquired === 'held' ? 'lease-held' : 'upstream-unavailable');
  }
  const run = new Run({ ...parts, clock, counts, lease });
  try {
    const stoppedBecause = await run.carry();
    if (settings.trim && stoppedBecause !== 'lease-lost') counts.trimmed = await group.trim();
    return await reportOf(group, counts, clock, stoppedBecause);
  } finally {
    await group.release(run.restMs).catch((error) => parts.log.warn('lease not given back', { error }));
  }
}

class Run {
  readonly #parts: Required<Parts> & { counts: Counts; lease: Lease };
  readonly #clock: Clock;
  readonly #lease: Lease;
  readonly #times: Times;
  #lanes!: Lanes;
  #intake!: Intake;
  #attempts!: Attempts;
  #stop: StopReason | undefined;
  #error: unknown;
  #isGroupMissing = false;
  #restUntil = 0;
  readonly #busy = { taking: false, flushing: false, renewing: false };
  #flushDueAt = Infinity;
  #retryAt = 0;
  #changed = Promise.withResolvers<void>();

  constructor(parts: Required<Parts> & { counts: Counts; lease: Lease }) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.#lease = parts.lease;
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
    if (this.#error !== undefined) throw this.#error;
    return this.#stop ?? 'drained';
  }

  #open(): void {
    this.#lanes = new Lanes();
    const parts = { ...this.#parts, lanes: this.#lanes };
    this.#intake = new Intake(parts);
    this.#attempts = new Attempts(parts, {
      mayStart: (now) => !this.#isEnding && now >= this.#restUntil && now < this.#lastStart,
      changed: () => this.#changed.resolve(),
      stop: (reason) => (this.#stop ??= reason),
      rest: (ms) => (this.#restUntil = Math.max(this.#restUntil, this.#clock.now() + ms)),
    });
  }

  get #isEnding(): boolean {
    return this.#stop !== undefined || this.#isGroupMissing;
  }

  get #lastStart(): number {
    return Math.min(this.#times.lastStart(this.#attempts.longestMs), this.#lease.validUntil);
  }

  async #loop(): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      this.#lanes.wake(now);
      this.#attempts.fill();
      this.#checkTime(now);
      if (this.#isEnding ? this.#isSettled(now) : this.#isDone(now)) return;
      this.#exchange(now);
      await this.#sleepUntil(this.#nextEvent(now));
    }
  }

  #checkTime(now: number): void {
    if (now >= this.#lease.validUntil) this.#stop ??= 'lease-lost';
    if (now >= this.#lastStart) this.#stop ??= 'deadline';
    if (this.#restUntil > Math.min(now + WORTH_WAITING_MS, this.#lastStart)) this.#stop ??= 'upstream-unavailable';
    if (this.#stop === 'lease-lost' || now >= this.#times.giveUp) this.#attempts.giveUp();
  }

  /** Whether nothing is under way, and nothing can be done soon. */
  #isDone(now: number): boolean {
    if (!this.#isIdle || this.#lanes.ready > 0 || this.#intake.wantsMore(now)) return false;
    const dueAt = this.#lanes.nextDueAt;
    if (dueAt <= Math.min(now + WORTH_WAITING_MS, this.#lastStart)) return false;
    this.#stop = this.#intake.isFull ? 'backpressure' : 'drained';
    return true;
  }

  /** Whether a run that ends has nothing more to wait for. */
  #isSettled(now: number): boolean {
    return this.#isIdle || now >= this.#times.end || (this.#stop === 'lease-lost' && this.#attempts.inFlight === 0);
  }

  get #isIdle(): boolean {
    const { inFlight, unflushed } = this.#attempts;
    return inFlight === 0 && unflushed === 0 && !this.#busy.taking && !this.#busy.flushing;
  }

  /** Talks to the server where there is something to say: in one go, so that it travels in one packet. */
  #exchange(now: number): void {
    if (now < this.#retryAt) return;
    const takes = !this.#isEnding && !this.#busy.taking && this.#intake.wantsMore(now);
    const { unflushed, inFlight } = this.#attempts;
    if (unflushed > 0 && this.#flushDueAt === Infinity) this.#flushDueAt = now + FLUSH_AFTER_MS;
    const flushes = unflushed > 0 && (takes || inFlight === 0 || now >= this.#flushDueAt || this.#isEnding);
    if (flushes && !this.#busy.flushing) this.#do('flushing', () => this.#attempts.flush());
    if (takes) this.#do('taking', async () => this.#attempts.hold(await this.#intake.take()));
    if (now >= this.#lease.renewAt && !this.#busy.renewing) this.#do('renewing', () => this.#renew());
  }

  async #renew(): Promise<void> {
    if (!(await this.#lease.renew())) throw new LeaseLost();
  }

  #do(what: 'taking' | 'flushing' | 'renewing', deed: () => Promise<void>): void {
    this.#busy[what] = true;
    if (what === 'flushing') this.#flushDueAt = Infinity;
    deed()
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#busy[what] = false;
        this.#changed.resolve();
      });
  }

  /** What was under way may have happened or not, so the run ends; the next one finds out from the pending list. */
  #failed(error: unknown): void {
    if (error instanceof LeaseLost) this.#stop ??= 'lease-lost';
    else if (isNoGroup(error)) this.#isGroupMissing = true;
    else {
      this.#retryAt = this.#clock.now() + RETRY_MS;
      this.#stop ??= 'failed';
      this.#error ??= error;
    }
  }

  /** NOGROUP is the answer for a lease that expired, too. */
  async #makeGroup(): Promise<boolean> {
    const { group, counts, log } = this.#parts;
    if (!(await this.#lease.renew())) {
      this.#stop ??= 'lease-lost';
      return false;
    }
    if (counts.groupsCreated > 0) {
      this.#stop ??= 'failed';
      return false;
    }
    if (await group.create()) counts.groupsCreated++;
    log.warn('group made', { groupsCreated: counts.groupsCreated });
    return this.#stop === undefined;
  }

  /** What was delivered but not attempted does not count as a delivery. */
  async #handBack(): Promise<void> {
    if (this.#stop === 'lease-lost' || this.#isGroupMissing) return;
    const byDeliveries = Map.groupBy(this.#lanes.takeUnstarted(), ({ deliveries }) => deliveries - 1);
    const returned = [...byDeliveries].map(([deliveries, items]) =>
      this.#parts.group.giveBack(
        items.map(({ id }) => id),
        deliveries,
      ),
    );
    await Promise.all(returned).catch((error) => this.#parts.log.warn('entries not given back', { error }));
  }

  #nextEvent(now: number): number {
    const { pollAt } = this.#intake;
    return Math.min(
      this.#lease.renewAt > now ? this.#lease.renewAt : this.#lease.validUntil,
      this.#isEnding ? Math.max(this.#times.giveUp > now ? this.#times.giveUp : this.#times.end) : this.#lastStart,
      this.#flushDueAt,
      this.#lanes.nextDueAt,
      this.#restUntil > now ? this.#restUntil : Infinity,
      this.#retryAt > now ? this.#retryAt : Infinity,
      pollAt > now ? pollAt : Infinity,
    );
  }

  async #sleepUntil(time: number): Promise<void> {
    const cancel = this.#clock.timer(Math.max(0, time - this.#clock.now()), () => this.#changed.resolve());
    await this.#changed.promise;
    cancel();
    this.#changed = Promise.withResolvers();
  }
}
