import { addedAt } from '#lib/consumer/entry.ts';
import { TargetFailure } from '#lib/consumer/targets/failure.ts';
import type { MemoryStream } from '#test/support/consumer/memory-group.ts';
import { Random } from '#test/support/random.ts';
import { DAY, HOUR, MINUTE, SECOND, VirtualRuns } from './virtual-runs.ts';

/** From the enqueue to the begin of the run, in a warm container. */
const START_MS = 15;
/** How long a wake suppresses others, and how long its run lingers after its last entry. */
const WAKE_MS = 1000;
const LINGER_MS = 1000;

export interface DayOptions {
  readonly shards: number;
  readonly keys: number;
  /** Whether an enqueue that finds no run wakes one. A schedule invokes one every minute anyway. */
  readonly isWoken: boolean;
  /** When the target is out of service, and after how long a call fails then. */
  readonly outages: readonly { from: number; to: number; failsAfterMs: number }[];
}

/** Where the shards stood at one moment. */
export interface Sample {
  readonly time: number;
  /** Entries not yet delivered, and pending ones. */
  readonly behind: number;
  /** Age of the oldest of them, in milliseconds. */
  readonly oldestMs: number;
}

/** A day of the consumer in virtual time, against a target that takes 40 to 60 ms. */
export class Day {
  /** A sample a minute. */
  readonly samples: Sample[] = [];
  /**
   * From the enqueue until the target was called with success, by kind, in hours without an outage, in milliseconds.
   */
  readonly latencies = new Map<string, number[]>();
  invocations = 0;
  billedMs = 0;
  processed = 0;
  attempts = 0;
  readonly #options: DayOptions;
  readonly #runs: VirtualRuns;
  readonly #random = new Random(7);
  readonly #badHours: ReadonlySet<number>;

  constructor(options: DayOptions) {
    this.#options = options;
    this.#runs = new VirtualRuns(options.shards);
    const hours = options.outages.map(({ from, to }) => [Math.floor(from / HOUR), Math.floor(to / HOUR)] as const);
    this.#badHours = new Set(hours.flatMap(([from, to]) => [from - 1, from, to, to + 1]));
  }

  get failures(): number {
    return this.attempts - this.processed;
  }

  get deadLetters(): number {
    return this.#runs.streams.reduce((sum, { deadLetters }) => sum + deadLetters.length, 0);
  }

  /** Entries that are not done with. */
  get behind(): number {
    return this.#runs.streams.reduce(
      (sum, { pending, entries, next }) => sum + pending.size + entries.length - next,
      0,
    );
  }

  /** Adds this many entries a second. */
  async playSteady(perSecond: number): Promise<this> {
    for (let second = 0; second * SECOND < DAY; second++) {
      await this.#runs.until(second * SECOND);
      for (let n = 0; n < perSecond; n++) this.#add('steady');
      if (second % 60 === 0) this.#tick();
    }
    return this.#end();
  }

  /** Each hour, adds `single` entries one by one, and `burst` at once. */
  async playQuiet(single: number, burst: number): Promise<this> {
    let [nextSingle, nextBurst] = [0, 30 * MINUTE];
    for (let minute = 0; minute * MINUTE < DAY; minute++) {
      await this.#runs.until(minute * MINUTE);
      this.#tick();
      for (; nextSingle < (minute + 1) * MINUTE; nextSingle += (-Math.log(1 - this.#random.next()) * HOUR) / single) {
        await this.#runs.until(nextSingle);
        this.#add('single');
      }
      if (nextBurst >= (minute + 1) * MINUTE) continue;
      for (let n = 0; n < burst; n++) this.#add('burst');
      nextBurst += HOUR;
    }
    return this.#end();
  }

  async #end(): Promise<this> {
    await this.#runs.until(DAY);
    this.#invoke(0);
    await this.#runs.ended();
    for (const list of this.latencies.values()) list.sort((a, b) => a - b);
    return this;
  }

  #add(kind: string): void {
    const { now } = this.#runs.time;
    const stream = this.#random.pick(this.#runs.streams);
    stream.add(now, 'key', String(this.#random.between(1, this.#options.keys)), 'kind', kind);
    const isTaken = (stream.lease?.until ?? 0) > now || stream.restUntil > now || stream.wakeUntil > now;
    if (!this.#options.isWoken || isTaken) return;
    stream.wakeUntil = now + WAKE_MS;
    this.#invoke(LINGER_MS);
  }

  /** What happens every minute. */
  #tick(): void {
    const { now } = this.#runs.time;
    const oldest = Math.min(...this.#runs.streams.map(oldestOf));
    for (const stream of this.#runs.streams) stream.forgetDelivered();
    this.samples.push({ time: now, behind: this.behind, oldestMs: oldest < Infinity ? now - oldest : 0 });
    this.#invoke(0);
  }

  #invoke(lingerMs: number): void {
    const startSuccessor = this.#options.isWoken ? () => Promise.resolve(this.#invoke(lingerMs)) : undefined;
    const run = async () => {
      const { time } = this.#runs;
      const invokedAt = time.now;
      await time.sleep(START_MS);
      await this.#runs.consume({ process: this.#process, settings: { lingerMs }, startSuccessor });
      this.invocations++;
      this.billedMs += time.now - invokedAt;
    };
    this.#runs.begin(run());
  }

  readonly #process = async ({ id, fields }: { id: string; fields: readonly string[] }): Promise<void> => {
    const { time } = this.#runs;
    const calledAt = time.now;
    const outage = this.#options.outages.find(({ from, to }) => calledAt >= from && calledAt < to);
    const attempt = this.attempts++;
    await time.sleep(outage?.failsAfterMs ?? 40 + 5 * (attempt % 5));
    if (outage) throw new TargetFailure('outage', 'MDM:CONNECTIVITY', 'out of service');
    this.processed++;
    const added = addedAt(id);
    if (this.#badHours.has(Math.floor(added / HOUR))) return;
    const list = this.latencies.get(fields[3]!) ?? [];
    this.latencies.set(fields[3]!, list);
    list.push(calledAt - added);
  };
}

const oldestOf = ({ entries, next, pending }: MemoryStream): number => {
  const [first = entries[next]?.id] = pending.keys();
  return first === undefined ? Infinity : addedAt(first);
};
