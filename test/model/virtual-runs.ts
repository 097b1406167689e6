import type { Clock } from '#lib/consumer/clock.ts';
import { consume } from '#lib/consumer/consume.ts';
import { VIEW_LIMIT } from '#lib/consumer/settings.ts';
import type { Target } from '#lib/consumer/targets/target.ts';
import { createLog } from '#lib/core/log.ts';
import { MemoryGroup, MemoryStream, type Call } from '#test/support/consumer/memory-group.ts';
import { VirtualTime } from '#test/support/consumer/virtual-time.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const LEASE_MS = 15 * SECOND;
/** What a command takes. */
export const REDIS_MS = 1;
/** The defaults, with what the function's timeout of 60 s leaves for work. */
export const SETTINGS = {
  batchSize: 100,
  concurrency: 10,
  maxDeliveries: 5,
  backoffMs: SECOND,
  leaseMs: LEASE_MS,
  trim: false,
  refusalLimit: 20,
  lingerMs: 0,
  budgetMs: 58 * SECOND,
  bodyBytes: 2 ** 27,
  viewLimit: VIEW_LIMIT,
};

export interface VirtualRun {
  readonly process: Target['process'];
  readonly settings?: Partial<typeof SETTINGS>;
  readonly clock?: Clock;
  readonly call?: Call;
  readonly startSuccessor?: (() => Promise<void>) | undefined;
}

/** Runs of the engine itself over streams in memory, in virtual time. */
export class VirtualRuns {
  readonly time = new VirtualTime();
  readonly streams: readonly MemoryStream[];
  #begun = 0;
  readonly #runs = new Set<Promise<unknown>>();
  readonly #log = createLog('error', {}, () => {});

  constructor(shards: number) {
    this.streams = Array.from({ length: shards }, () => new MemoryStream());
  }

  readonly reply: Call = async (work) => {
    await this.time.sleep(REDIS_MS);
    return work();
  };

  nameOf(shard: number): string {
    return `s:${shard}`;
  }

  /** One run, from its beginning to its end. */
  async consume({ process, settings, call = this.reply, clock = this.time.clock(), startSuccessor }: VirtualRun) {
    const run = `run-${++this.#begun}`;
    const shards = this.streams.map((stream, at) => {
      return { stream: this.nameOf(at), group: new MemoryGroup(stream, clock, LEASE_MS, call, { run }) };
    });
    const target = { keyFields: ['key'], process };
    return consume({ shards, target, settings: { ...SETTINGS, ...settings }, log: this.#log, clock, startSuccessor });
  }

  /** Lets a run continue alongside others. */
  begin(run: Promise<unknown>): void {
    const begun = run.finally(() => this.#runs.delete(begun));
    this.#runs.add(begun);
  }

  async until(at: number): Promise<void> {
    await this.time.until(this.time.sleep(Math.max(0, at - this.time.now)));
  }

  /** Until all runs have ended, and those that they started. */
  async ended(): Promise<void> {
    while (this.#runs.size > 0) await this.time.until(Promise.all(this.#runs));
  }
}
