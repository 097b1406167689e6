import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { allowAll, STARVED, type Report, type Snapshot } from './ledger.ts';
import { SlowGroup } from './slow-group.ts';
import { Stage } from './stage.ts';
import { allowanceOf, troubleOf } from './troubles.ts';
import { isCalm, slownessOf, type World } from './world.ts';

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
  readonly processed: number;
  readonly repeated: number;
  /** How often an entry came after a later one of its key. */
  readonly wentBack: number;
  readonly letters: number;
  readonly kills: number;
  readonly stops: Readonly<Record<string, number>>;
  /** Whether processes waited for their turn, so that only losses, disorder and false dead letters are judged. */
  readonly isStarved: boolean;
  readonly journal: readonly string[];
}

export interface PlayOptions {
  /** Where the packaged functions are; default those of this checkout. */
  readonly bundles?: string | undefined;
  /** Whether the machine is at rest, so that time is judged strictly. */
  readonly isTimed?: boolean;
  /** Whether others use the machine: bounds of time, claims and runs are then not judged. Default: by looking. */
  readonly isBusy?: boolean;
}

/** Where nothing goes wrong. */
const CLAIMS = 1.5;
/** With a share of a core that is smaller than any that a consumer is deployed with. */
const SLOW_CLAIMS = 2.5;
/** Claims of each entry but for what runs give back at their deadline, which is much where they last seconds. */
const OTHER_CLAIMS = 1.2;
/** About how long before its end a run starts nothing more. */
const CLOSING_MS = 1000;
const SLACK_MS = 2000;
const SLOWER = 1.15;
/** Nothing is waited for any more when nothing was done for so long, and a lease; or after so long in all. */
const PATIENCE_MS = 20_000;
const MOST_MS = 90_000;
/** The same where processes wait for their turn. */
const STARVED_PATIENCE_MS = 60_000;
const MOST_STARVED_MS = 300_000;
/** So many for each entry are a loop. */
const MOST_ATTEMPTS = 8;
/**
 * A timer of this process that is so late shows a machine that is too busy; so do containers that wait half of the
 * time.
 */
const LATE_MS = 150;
const [WATCH_MS, WAITED_MS] = [500, 250];
/** Without a schedule, what is enqueued may wait no longer. */
const UNWOKEN_MS = 3000;
/** Where enqueues wake the consumer, no run fails, and none ends for its rate, it needs no schedule. */
const hasNoSchedule = (world: World) => world.isWoken && isCalm(world) && world.consumer.ratePerSecond === undefined;
/** How long runs may go on after a pause; and after their leases, if they had to wait for their turn. */
const PAUSE_MS = 750;
const LATE_PAUSE_MS = 1500;
/** A trouble that waits for progress comes anyway when there was none for so long. */
const STUCK_MS = 1500;

export async function play(
  world: World,
  { bundles, isTimed = false, isBusy = false }: PlayOptions = {},
): Promise<Played> {
  const stage = await Stage.open(world, allowanceOf(world), bundles);
  try {
    return await new Play(stage, isTimed, isBusy).play();
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
  #isStarved: boolean;
  #isUnwoken = false;

  constructor(stage: Stage, isTimed: boolean, isBusy: boolean) {
    this.#stage = stage;
    this.#isTimed = isTimed;
    this.#isStarved = isBusy;
  }

  async play(): Promise<Played> {
    const stage = this.#stage;
    const { world, ledger, runs } = stage;
    if (world.addedPerSecond === undefined) while (stage.leftToAdd > 0) await stage.add(200);
    const slowGroup = await SlowGroup.begin(stage, () => this.#isOver);
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
    ledger.faults.push(...(await slowGroup.end()));
    for (const line of runs.log) if (line.includes('"lease lost"')) ledger.loseLease(streamIn(line));
    const uncounted = runs.kills + runs.crashes + runs.overtime + runs.failures.length > 0;
    ledger.allowance = allowAll(ledger.allowance, { uncounted }, this.#isStarved ? STARVED : {});
    ledger.checkEnd(last);
    ledger.checkReports(runs.reports, await stage.snapshots());
    if (this.#isUnwoken && !this.#isStarved) ledger.faults.push('entries wait, and nothing wakes the consumer');
    this.#checkRuns();
    if (last.every(({ pending }) => pending.length === 0)) await this.#checkLeftovers();
    const leastMs = this.#leastMs(processorMs);
    const claims = this.#claims;
    if (isCalm(world) && !this.#isStarved) this.#checkCalm(ms, leastMs, claims);
    const stops: Record<string, number> = {};
    for (const { stoppedBecause } of runs.reports) stops[stoppedBecause] = (stops[stoppedBecause] ?? 0) + 1;
    for (const failure of runs.failures) stops[failure] = (stops[failure] ?? 0) + 1;
    return {
      world,
      faults: ledger.faults,
      ms,
      leastMs,
      claims,
      invocations: runs.invocations,
      processed: ledger.processed,
      repeated: ledger.repeated,
      wentBack: ledger.wentBack,
      kills: runs.kills,
      stops,
      isStarved: this.#isStarved,
      journal: this.#journal,
      letters: last.reduce((sum, { letters }) => sum + letters.length, 0),
    };
  }

  #doneAt = 0;

  #tell(what: string): void {
    this.#journal.push(`${((performance.now() - this.#startedAt) / 1000).toFixed(3)} s  ${what}`);
  }

  get #isLate(): boolean {
    const { ledger, world } = this.#stage;
    const leaseMs = Number(world.consumer.leaseMs ?? 15_000);
    const [patienceMs, mostMs] = this.#isStarved ? [STARVED_PATIENCE_MS, MOST_STARVED_MS] : [PATIENCE_MS, MOST_MS];
    const [now, done] = [performance.now(), ledger.attempts + ledger.failed + ledger.processed];
    if (done !== this.#progress.done) this.#progress = { done, at: now };
    if (ledger.attempts + ledger.failed > MOST_ATTEMPTS * world.entries + 200) return true;
    const until = Math.min(this.#startedAt + mostMs, this.#progress.at + patienceMs + leaseMs);
    return now > until && now > until + ledger.longestBackOffMs;
  }

  async #schedule(): Promise<void> {
    const { runs, world } = this.#stage;
    if (hasNoSchedule(world)) {
      await this.#unwoken();
      if (this.#isOver) return;
      this.#tell('nothing wakes the consumer');
      this.#isUnwoken = true;
    }
    while (!this.#isOver) {
      for (let run = 0; run < world.runs && !runs.isFull; run++) runs.invoke({});
      for (let ms = 0; ms < world.scheduleMs && !this.#isOver; ms += 50) await sleep(50);
    }
  }

  /** Waits until the consumer has been idle, without progress, for a while. */
  async #unwoken(): Promise<void> {
    const { runs, ledger } = this.#stage;
    let [done, since] = [-1, performance.now()];
    while (!this.#isOver && performance.now() - since < UNWOKEN_MS) {
      await sleep(50);
      const now = ledger.processed + (runs.isIdle ? 0 : performance.now());
      if (now !== done) [done, since] = [now, performance.now()];
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
      const act = () =>
        troubleOf(name)
          .act(stage, trouble)
          .catch((error: unknown) => this.#tell(`${name}: ${inspect(error)}`));
      await (troubleOf(name).allows?.redisFails ? stage.exclusively(act) : act());
      this.#tell(`${name} is over`);
    }
  }

  /** Waits until nothing is left to do, or a run buries again what is buried. Returns the shards as they are then. */
  async #drained(): Promise<Snapshot[]> {
    const stage = this.#stage;
    while (!this.#isLate) {
      if (stage.ledger.progress >= 1) this.#doneAt ||= performance.now();
      const shards = await stage.snapshots().catch(() => undefined);
      const isDrained = shards?.every(({ pending, unread }) => pending.length === 0 && unread === 0);
      const hasCopies = shards?.some(({ letters }) => stage.ledger.copiesOf(letters).length > 0);
      if (shards && (isDrained || hasCopies)) {
        this.#doneAt ||= performance.now();
        return shards;
      }
      await sleep(stage.ledger.progress < 0.95 ? 200 : 20);
    }
    this.#doneAt ||= performance.now();
    const shards = await stage.snapshots();
    const count = (numberOf: (shard: Snapshot) => number) => shards.reduce((sum, shard) => sum + numberOf(shard), 0);
    const left = `${count(({ pending }) => pending.length)} pending, ${count(({ unread }) => unread)} unread`;
    this.#tell(`not drained: ${left}`);
    if (!this.#isStarved) stage.ledger.faults.push(`not drained: ${left}`);
    return shards;
  }

  /** Whether the machine has no time for us: then runs are late, and lose their leases. */
  async #watchMachine(): Promise<void> {
    const { runs } = this.#stage;
    for (let waited = runs.waitedMs; !this.#isOver; waited = runs.waitedMs) {
      for (let ms = 0; ms < WATCH_MS && !this.#isOver; ms += 20) {
        const before = performance.now();
        await sleep(20);
        this.#isStarved ||= performance.now() - before > 20 + LATE_MS;
      }
      for (const [container, ms] of runs.waitedMs) this.#isStarved ||= ms - (waited.get(container) ?? ms) > WAITED_MS;
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
    if (runs.overtime > 0 && !this.#isStarved) ledger.faults.push(`${runs.overtime} runs went on after their time`);
    const internal = [...runs.failures, ...runs.log].filter((line) => line.includes('CONNECTOR:INTERNAL'));
    if (internal.length > 0) ledger.faults.push(`${internal.length} internal errors: ${internal[0]!.slice(0, 300)}`);
    this.#checkPauses();
    if (this.#stage.world.hasTopic) this.#checkNotices();
    if (ledger.allowance.redisFails) return;
    this.#checkTimes();
    for (const failure of new Set(runs.failures)) ledger.faults.push(`a run failed: ${failure}`);
  }

  /** The topic is told of each dead letter, or the log says that it is not; once a second for all runs together. */
  #checkNotices(): void {
    const { ledger, runs, topic } = this.#stage;
    const untold = runs.log.reduce((sum, line) => (UNTOLD.test(line) ? sum + countIn(line) : sum), 0);
    const told = topic.counts.reduce((sum, count) => sum + count, 0);
    const buried = runs.reports.reduce((sum, { deadLettered }) => sum + deadLettered, 0);
    if (!ledger.allowance.uncounted && (told > buried || told + untold < buried)) {
      ledger.faults.push(`a topic is told of ${told} dead letters and not of ${untold}, and there are ${buried}`);
    }
    const seconds = Math.ceil((performance.now() - this.#startedAt) / 1000);
    if (!ledger.allowance.redisFails && topic.counts.length > seconds + 1) {
      ledger.faults.push(`${topic.counts.length} notices in ${seconds} s`);
    }
  }

  /** A run that does not hear of a pause loses its lease. */
  #checkPauses(): void {
    const { ledger, target, world, pauses } = this.#stage;
    const mayBeLate = this.#isStarved || ledger.allowance.redisFails;
    const heardMs = PAUSE_MS * slownessOf(world.share);
    const graceMs = mayBeLate ? Number(world.consumer.leaseMs ?? 15_000) + LATE_PAUSE_MS : heardMs;
    for (const { from, until } of pauses) {
      const count = target.callsAt.filter((at) => at > from + graceMs && at < until).length;
      if (count > 0) ledger.faults.push(`${count} calls during a pause`);
    }
  }

  /** What the target saw when, of runs that no outage of Redis and no process out of time disturbs. */
  #checkTimes(): void {
    const { ledger, target, world } = this.#stage;
    const { callsAt, mostAtATime } = target;
    const { concurrency = 10, ratePerSecond = Infinity } = world.consumer as Record<string, number | undefined>;
    const places = world.runs * concurrency;
    // of one cut off, the target does not know at once
    const isOver = mostAtATime > places && !ledger.allowance.repeats;
    if (isOver) ledger.faults.push(`${mostAtATime} calls at a time, at most ${places}`);
    const most = 2 * ratePerSecond + 1;
    const tooMany = callsAt.findIndex((at, n) => (callsAt[n + most] ?? Infinity) < at + 1000);
    if (tooMany >= 0) ledger.faults.push(`more than ${most} calls in a second, at a rate of ${ratePerSecond}`);
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
    const { ledger, runs, target, world } = this.#stage;
    // what waits behind its key shows that only by its body: each run that the longest key takes claims it anew
    const further = Math.ceil(target.longestKeyMs / (world.invocationMs - CLOSING_MS)) - 1;
    // a run whose time is over gives back what it has read ahead; with few keys, it reads past the entries of busy ones
    const isOver = ({ stoppedBecause }: Report) => ['deadline', 'backpressure'].includes(stoppedBecause);
    const deadlines = runs.reports.filter(isOver).length;
    const concurrency = Number(world.consumer.concurrency ?? 10);
    const readAhead = (world.keys < 2 * world.runs * concurrency ? 5 : 2) * concurrency * world.target.batchSize;
    const ahead = (deadlines * readAhead) / world.entries;
    const usual = slownessOf(world.share) > 1 ? SLOW_CLAIMS : CLAIMS;
    const mostClaims = Math.max(usual, OTHER_CLAIMS + ahead) + Math.max(0, further);
    if (claims > mostClaims) {
      ledger.faults.push(`${claims.toFixed(2)} claims for each entry, at most ${mostClaims.toFixed(2)}`);
    }
    for (const { stoppedBecause, read, recovered, processed } of runs.reports) {
      const left = read + recovered - processed;
      const isAlone = world.runs === 1; // several hand shards over, with what they have read
      if (isAlone && stoppedBecause === 'drained' && left > 0)
        ledger.faults.push(`a drained run left ${left} of ${read + recovered}`);
    }
    const failed = runs.reports.reduce((sum, report) => sum + report.failed, 0);
    if (failed > 0) ledger.faults.push(`${failed} attempts failed of a healthy target`);
    // as many as deadlines ask for, twice; beside those of the schedule
    const ticks = Math.ceil((performance.now() - this.#startedAt) / world.scheduleMs) * world.runs;
    const most = ticks + 2 * world.runs * Math.ceil(ms / Math.max(500, world.invocationMs - CLOSING_MS));
    if (runs.invocations > most) ledger.faults.push(`${runs.invocations} invocations, at most ${most}`);
    const mostMs = this.#isTimed ? SLACK_MS + SLOWER * leastMs : 3 * SLACK_MS + 5 * leastMs;
    if (ms > mostMs) {
      ledger.faults.push(`it took ${Math.round(ms)} ms, at most ${Math.round(mostMs)}`);
    }
  }
}

/** Lines about dead letters of which the topic is not told. */
const UNTOLD = /"dead letters without a notice"|"dead letter notice not sent"/;
const countIn = (line: string): number => (JSON.parse(line) as { count: number }).count;
const streamIn = (line: string): string => (JSON.parse(line) as { stream: string }).stream;
