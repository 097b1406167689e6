import { setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from './ledger.ts';
import { Stage } from './stage.ts';
import { allowanceOf, TROUBLES } from './troubles.ts';
import { isCalm, type World } from './world.ts';

/** What a world showed. */
export interface Played {
  readonly world: World;
  readonly faults: readonly string[];
  /** From the first invocation until the target had everything. */
  readonly ms: number;
  /** What latency, rate or processor time ask for, whichever is longest. */
  readonly leastMs: number;
  /** Entries read or taken up again, for each entry. */
  readonly claims: number;
  readonly invocations: number;
  readonly taken: number;
  readonly repeated: number;
  /** How often an entry came after a later one of its key. */
  readonly wentBack: number;
  readonly letters: number;
  readonly kills: number;
  readonly stops: Readonly<Record<string, number>>;
  /** Longest time that this process itself waited for its turn: the machine is busy. */
  readonly lateMs: number;
  readonly journal: readonly string[];
}

export interface PlayOptions {
  /** Where the packaged functions are; default those of this checkout. */
  readonly bundles?: string | undefined;
  /** Whether the machine is at rest, so that time is judged too. */
  readonly isTimed?: boolean;
}

/** Where nothing goes wrong. */
const CLAIMS = 1.5;
const SLACK_MS = 2000;
const SLOWER = 1.15;
/** Nothing is waited for any more when nothing was done for so long, and a lease; or after so long in all. */
const PATIENCE_MS = 20_000;
const MOST_MS = 90_000;
/** A timer of this process that is so late shows a machine that is too busy. */
const STARVED_MS = 150;
/** Without a schedule, what is enqueued may wait no longer. */
const UNWOKEN_MS = 3000;
const leaseMsOf = ({ consumer }: World) => Number(consumer.leaseMs ?? 15_000);
/** Where enqueues wake the consumer, and no run fails, it needs no schedule. */
const hasNoSchedule = (world: World) => world.isWoken && isCalm(world);
/** How long runs may go on after a pause. */
const PAUSE_MS = 1200;
/** A trouble that waits for progress comes anyway when there was none for so long. */
const STUCK_MS = 1500;

export async function play(world: World, { bundles, isTimed = false }: PlayOptions = {}): Promise<Played> {
  const stage = await Stage.open(world, allowanceOf(world), bundles);
  try {
    return await new Play(stage, isTimed).play();
  } finally {
    await stage.close();
  }
}

class Play {
  readonly #stage: Stage;
  readonly #isTimed: boolean;
  readonly #journal: string[] = [];
  #startedAt = 0;
  #progress = { done: -1, at: 0 };
  #isOver = false;
  #lateMs = 0;

  constructor(stage: Stage, isTimed: boolean) {
    this.#stage = stage;
    this.#isTimed = isTimed;
  }

  async play(): Promise<Played> {
    const stage = this.#stage;
    const { world, ledger, runs } = stage;
    if (world.addedPerSecond === undefined) while (stage.leftToAdd > 0) await stage.add(200);
    this.#startedAt = performance.now();
    this.#progress = { done: 0, at: this.#startedAt };
    const around = Promise.all([this.#schedule(), this.#watchMachine()]);
    let last: Snapshot[];
    try {
      await Promise.all([this.#produce(), this.#trouble()]);
      last = await this.#drained();
    } finally {
      this.#isOver = true;
    }
    const ms = this.#doneAt - this.#startedAt;
    const processorMs = runs.processorMs;
    await around;
    await runs.ended();
    ledger.checkEnd(last, this.#lateMs > leaseMsOf(world) / 3 || this.#isStarved ? 1 : 0);
    ledger.checkReports(runs.reports, await stage.snapshots(), this.#isStarved);
    this.#checkRuns();
    if (last.every(({ pending }) => pending.length === 0)) await this.#checkLeftovers();
    const leastMs = this.#leastMs(processorMs);
    const claims = this.#claims;
    if (isCalm(world) && !this.#isStarved) this.#checkCalm(ms, leastMs, claims);
    const stops: Record<string, number> = {};
    for (const { stoppedBecause } of runs.reports) stops[stoppedBecause] = (stops[stoppedBecause] ?? 0) + 1;
    for (const failure of runs.failures) stops[failure] = (stops[failure] ?? 0) + 1;
    return {
      ...{ world, faults: ledger.faults, ms, leastMs, claims, invocations: runs.invocations, taken: ledger.taken },
      ...{
        repeated: ledger.repeated,
        wentBack: ledger.wentBack,
        kills: runs.kills,
        stops,
        lateMs: this.#lateMs,
        journal: this.#journal,
      },
      letters: last.reduce((sum, { letters }) => sum + letters.length, 0),
    };
  }

  #doneAt = 0;

  #tell(what: string): void {
    this.#journal.push(`${((performance.now() - this.#startedAt) / 1000).toFixed(3)} s  ${what}`);
  }

  /** Whether the machine had no time for us: then runs may be late, and lose their leases. */
  get #isStarved(): boolean {
    return this.#lateMs > STARVED_MS;
  }

  get #isLate(): boolean {
    const { ledger, world } = this.#stage;
    const leaseMs = leaseMsOf(world);
    const [now, done] = [performance.now(), ledger.attempts + ledger.failed + ledger.taken];
    if (done !== this.#progress.done) this.#progress = { done, at: now };
    return now > Math.min(this.#startedAt + MOST_MS, this.#progress.at + PATIENCE_MS + leaseMs);
  }

  async #schedule(): Promise<void> {
    const { runs, world, ledger } = this.#stage;
    if (hasNoSchedule(world)) {
      let [done, since] = [-1, performance.now()];
      while (!this.#isOver && performance.now() - since < UNWOKEN_MS) {
        await sleep(50);
        const now = ledger.taken + (runs.isIdle ? 0 : performance.now());
        if (now !== done) [done, since] = [now, performance.now()];
      }
      if (this.#isOver) return;
      this.#tell('nothing wakes the consumer');
      if (!this.#isStarved) ledger.faults.push('entries wait, and nothing wakes the consumer');
    }
    while (!this.#isOver) {
      for (let run = 0; run < world.runs && !runs.isFull; run++) runs.invoke({});
      for (let ms = 0; ms < world.scheduleMs && !this.#isOver; ms += 50) await sleep(50);
    }
  }

  async #produce(): Promise<void> {
    const { world } = this.#stage;
    const perSecond = world.addedPerSecond ?? 1000;
    while (this.#stage.leftToAdd > 0 && !this.#isLate) {
      await this.#stage.add(Math.max(1, Math.round(perSecond / 20)));
      await sleep(50);
    }
  }

  /** One trouble after the other, each when the target has its part. */
  async #trouble(): Promise<void> {
    const stage = this.#stage;
    const { ledger, world } = stage;
    const progress = () => (ledger.progress * ledger.entries.size) / world.entries;
    for (const trouble of world.troubles) {
      let [last, since] = [progress(), performance.now()];
      while (progress() < trouble.at && !this.#isLate && performance.now() - since < STUCK_MS) {
        await sleep(5);
        if (progress() > last) [last, since] = [progress(), performance.now()];
      }
      const { name } = trouble;
      this.#tell(`${name} at ${progress().toFixed(2)}, size ${trouble.size.toFixed(2)}`);
      const act = () => TROUBLES[name]!.act(stage, trouble).catch((error: unknown) => this.#tell(`${name}: ${String((error as Error).message ?? JSON.stringify(error))}`)); // prettier-ignore
      await (TROUBLES[name]!.allows?.redisFails ? stage.alone(act) : act());
      this.#tell(`${name} is over`);
    }
  }

  /** Waits until nothing is left to do. Returns the shards as they are then. */
  async #drained(): Promise<Snapshot[]> {
    const stage = this.#stage;
    while (!this.#isLate) {
      if (stage.ledger.progress >= 1) this.#doneAt ||= performance.now();
      const shards = await stage.snapshots().catch(() => undefined);
      if (shards?.every(({ pending, unread }) => pending.length === 0 && unread === 0)) {
        this.#doneAt ||= performance.now();
        return shards;
      }
      await sleep(stage.ledger.progress < 0.95 ? 200 : 20);
    }
    this.#doneAt ||= performance.now();
    const shards = await stage.snapshots();
    const count = (of: (shard: Snapshot) => number) => shards.reduce((sum, shard) => sum + of(shard), 0);
    const left = `${count(({ pending }) => pending.length)} pending, ${count(({ unread }) => unread)} unread`;
    stage.ledger.faults.push(`not drained: ${left}`);
    return shards;
  }

  async #watchMachine(): Promise<void> {
    while (!this.#isOver) {
      const before = performance.now();
      await sleep(20);
      this.#lateMs = Math.max(this.#lateMs, performance.now() - before - 20);
    }
  }

  async #checkLeftovers(): Promise<void> {
    const { ledger } = this.#stage;
    const found = await this.#stage.leftovers();
    const isCounted = !ledger.allowance.uncounted && ledger.removed.size === 0;
    const judged = isCounted ? found : found.filter((what) => what.endsWith('never expires'));
    if (judged.length > 0) ledger.faults.push(`Redis keeps ${judged.length}: ${judged.slice(0, 3).join(', ')}`);
  }

  #checkRuns(): void {
    const { ledger, runs } = this.#stage;
    if (runs.crashes > 0) ledger.faults.push(`${runs.crashes} containers ended by themselves`);
    if (runs.overtime > 0) ledger.faults.push(`${runs.overtime} runs went on after their time`);
    const internal = [...runs.failures, ...runs.log].filter((line) => line.includes('CONNECTOR:INTERNAL'));
    if (internal.length > 0) ledger.faults.push(`${internal.length} internal errors: ${internal[0]!.slice(0, 300)}`);
    if (ledger.allowance.redisFails || this.#isStarved) return;
    this.#checkTimes();
    for (const failure of new Set(runs.failures)) ledger.faults.push(`a run failed: ${failure}`);
  }

  /** What the target saw when, of runs that no lost lease and no process out of time disturbs. */
  #checkTimes(): void {
    const { ledger, target, world, pauses } = this.#stage;
    if (ledger.allowance.repeats) return;
    const { callsAt, mostAtATime } = target;
    const { concurrency = 10, ratePerSecond = Infinity } = world.consumer as Record<string, number | undefined>;
    const places = world.runs * concurrency;
    if (mostAtATime > places) ledger.faults.push(`${mostAtATime} calls at a time, at most ${places}`);
    const most = 2 * ratePerSecond + 1;
    const tooMany = callsAt.findIndex((at, n) => (callsAt[n + most] ?? Infinity) < at + 1000);
    if (tooMany >= 0) ledger.faults.push(`more than ${most} calls in a second, at a rate of ${ratePerSecond}`);
    for (const { from, until } of pauses) {
      const count = callsAt.filter((at) => at > from + PAUSE_MS && at < until).length;
      if (count > 0) ledger.faults.push(`${count} calls during a pause`);
    }
  }

  get #claims(): number {
    const { reports } = this.#stage.runs;
    const claimed = reports.reduce((sum, { read, recovered }) => sum + read + recovered, 0);
    return claimed / this.#stage.world.entries;
  }

  #leastMs(processorMs: number): number {
    const { world, target, ledger } = this.#stage;
    const { runs, shards, share, consumer } = world;
    const working = Math.min(runs, shards);
    const places = runs * Number(consumer.concurrency ?? 10);
    const rateMs = (ledger.attempts * 1000) / Number(consumer.ratePerSecond ?? Infinity);
    const added = world.addedPerSecond === undefined ? 0 : (world.entries * 1000) / world.addedPerSecond;
    return Math.max(target.busyMs / places, target.longestKeyMs, rateMs, processorMs / working / share, added);
  }

  /** The bounds of a world in which nothing goes wrong. */
  #checkCalm(ms: number, leastMs: number, claims: number): void {
    const { ledger, runs, world } = this.#stage;
    if (claims > CLAIMS) ledger.faults.push(`${claims.toFixed(2)} claims for each entry, at most ${CLAIMS}`);
    const failed = runs.reports.reduce((sum, report) => sum + report.failed, 0);
    if (failed > 0) ledger.faults.push(`${failed} attempts failed of a healthy target`);
    // as many as deadlines ask for, twice; beside those of the schedule
    const ticks = Math.ceil((performance.now() - this.#startedAt) / world.scheduleMs) * world.runs;
    const most = ticks + 2 * world.runs * Math.ceil(ms / Math.max(500, world.invocationMs - 1000));
    if (runs.invocations > most) ledger.faults.push(`${runs.invocations} invocations, at most ${most}`);
    const mostMs = SLACK_MS + SLOWER * leastMs;
    if (this.#isTimed && ms > mostMs) {
      ledger.faults.push(`it took ${Math.round(ms)} ms, at most ${Math.round(mostMs)}`);
    }
  }
}
