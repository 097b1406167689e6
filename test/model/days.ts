import { consume } from '#lib/consumer/consume.ts';
import type { Entry } from '#lib/consumer/entry.ts';
import { VIEW_LIMIT } from '#lib/consumer/settings.ts';
import type { Attempt } from '#lib/consumer/targets/target.ts';
import { TargetFailure } from '#lib/consumer/targets/failure.ts';
import { LAST_POSSIBLE_ID } from '#lib/core/entry-id.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import { createLog } from '#lib/core/log.ts';
import { Random } from '#test/support/random.ts';
import { Ledger, type Entry as LedgerEntry, type Snapshot } from '#test/faults/ledger.ts';
import { MemoryGroup, MemoryStream } from '#test/support/consumer/memory-group.ts';
import { VirtualTime } from '#test/support/consumer/virtual-time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SHARDS = 16;
const KEYS = 2000;
const LEASE_MS = 15 * SECOND;
const REDIS_MS = 1;
/** What the server forgets in a failover, and how long it is out of reach. */
const LAG_MS = 400;
const FAILOVER_MS = 2 * SECOND;
const FLOOD = 10_000;
/** For each entry, and each letter that was put back. */
const MOST_ATTEMPTS = 1.1;
const SETTINGS = {
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
/** What a failover forgets, comes again. */
const FAILOVERS = { rewinds: 0, repeats: true, uncounted: true, unseen: true, redisFails: true };
const log = createLog('error', {}, () => {});
const never = new Promise<never>(() => {});

/** What a day brings, one day after the other; a few runs are killed on any. */
const DAYS = ['nothing', 'kills', 'failovers', 'outages', 'a flood', 'a schema change', 'pauses'] as const;
type Bad = (typeof DAYS)[number];

export interface Month {
  entries: number;
  attempts: number;
  runs: number;
  killed: number;
  /** Runs that ended with an error, because Redis was away. */
  failed: number;
  letters: number;
  redriven: number;
  superseded: number;
  functionMs: number;
  faults: string[];
}

/**
 * Lets the engine itself work through days of sixteen shards in virtual time, a run a minute, and looks whether anything
 * is lost or out of order.
 */
export async function playDays(days: number, seed: number): Promise<Month> {
  return new Days(seed).play(days);
}

class Days {
  readonly #time = new VirtualTime();
  readonly #random: Random;
  readonly #streams = Array.from({ length: SHARDS }, () => new MemoryStream());
  readonly #runs = new Set<Promise<void>>();
  readonly #ledger = new Ledger({ consumer: SETTINGS }, FAILOVERS, () => this.#time.now);
  readonly #month: Omit<Month, 'entries' | 'attempts' | 'faults'> = {
    runs: 0,
    killed: 0,
    failed: 0,
    letters: 0,
    redriven: 0,
    superseded: 0,
    functionMs: 0,
  };
  #attempts = 0;
  /** Of each key, its entries in order. */
  readonly #ofKey = new Map<string, number[]>();
  #failovers = 0;
  #awayUntil = 0;
  #bad: Bad = 'nothing';

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  async play(days: number): Promise<Month> {
    for (let minute = 0; minute < days * 24 * 60; minute++) {
      const hour = Math.floor(minute / 60) % 24;
      this.#bad = DAYS[Math.floor(minute / (24 * 60)) % DAYS.length]!;
      this.#add(this.#random.between(0, 6));
      this.#invoke();
      if (minute % 60 === 17) await this.#strike(hour);
      if (hour === 23 && minute % 60 === 0) this.#redrive();
      await this.#until((minute + 1) * MINUTE);
      for (const stream of this.#streams) stream.forgetDelivered();
    }
    this.#bad = 'nothing';
    for (let minute = 0; minute < 30; minute++) {
      this.#redrive();
      this.#invoke();
      await this.#until(this.#time.now + MINUTE);
    }
    await this.#time.until(Promise.all(this.#runs));
    this.#check();
    const { entries, faults } = this.#ledger;
    return { ...this.#month, entries: entries.size, attempts: this.#attempts, faults };
  }

  #add(count: number): void {
    for (let left = count; left > 0; left--) {
      const n = this.#ledger.entries.size;
      const number = this.#random.between(1, KEYS);
      const key = `key-${number}`;
      const stream = `s:${number % SHARDS}`;
      const id = this.#streams[number % SHARDS]!.add(this.#time.now, 'key', key);
      this.#ledger.expect({ n, stream, id, key, fate: 'whole' });
      this.#ofKey.set(key, [...(this.#ofKey.get(key) ?? []), n]);
    }
  }

  /** What a bad day brings every hour. */
  async #strike(hour: number): Promise<void> {
    const { now } = this.#time;
    if (this.#bad === 'a flood' && hour === 12) this.#add(FLOOD);
    if (this.#bad === 'pauses') for (const stream of this.#streams) stream.pausedUntil = now + 20 * MINUTE;
    if (this.#bad !== 'failovers') return;
    this.#add(200);
    this.#invoke();
    await this.#until(now + this.#random.between(0, 1000));
    const snapshots = this.#streams.map(copyOf);
    await this.#until(this.#time.now + LAG_MS);
    this.#streams.forEach((stream, at) => goBack(stream, snapshots[at]!));
    this.#failovers++;
    this.#awayUntil = this.#time.now + FAILOVER_MS;
    this.#ledger.goBack();
  }

  #invoke(): void {
    const run = this.#run().finally(() => this.#runs.delete(run));
    this.#runs.add(run);
  }

  async #run(): Promise<void> {
    const startedAt = this.#time.now;
    const clock = this.#time.clock();
    const begunIn = this.#failovers;
    const diesAt = this.#random.happens(this.#bad === 'kills' ? 0.5 : 0.02) ? this.#random.between(1, 80) : Infinity;
    const died = Promise.withResolvers<undefined>();
    let calls = 0;
    const call = async <T>(work: () => T): Promise<T> => {
      if (++calls > diesAt) return never;
      if (calls === diesAt) {
        clock.stop();
        died.resolve(undefined);
      }
      await this.#time.sleep(REDIS_MS);
      if (this.#failovers > begunIn || this.#time.now < this.#awayUntil) throw away();
      const reply = work();
      return calls >= diesAt ? never : reply;
    };
    const process = async ({ id }: Entry, { stream }: Attempt) => {
      if (calls >= diesAt) return never;
      await this.#attempt(this.#ledger.entryAt(stream, id)!, () => this.#failovers > begunIn);
      if (calls >= diesAt) return never;
    };
    const shards = this.#streams.map((stream, at) => {
      return { stream: `s:${at}`, group: new MemoryGroup(stream, clock, LEASE_MS, call) };
    });
    this.#month.runs++;
    const consumed = consume({ shards, target: { keyFields: ['key'], process }, settings: SETTINGS, log, clock });
    consumed.catch(() => this.#month.failed++);
    await Promise.race([consumed.then(() => {}, () => {}), died.promise]); // prettier-ignore
    if (calls >= diesAt) this.#month.killed++;
    this.#month.functionMs += this.#time.now - startedAt;
  }

  /** @param isCutOff whether the run lost its server meanwhile: another may have gone on by now */
  async #attempt({ n, key }: LedgerEntry, isCutOff: () => boolean): Promise<void> {
    const hour = Math.floor(this.#time.now / HOUR) % 24;
    this.#attempts++;
    const isOut = this.#bad === 'outages' && hour % 6 === 3 && this.#time.now % HOUR < 20 * MINUTE;
    await this.#time.sleep(isOut && hour % 12 === 3 ? 10 * SECOND : this.#random.between(40, 60));
    if (isOut) {
      this.#ledger.fail(n, 'other');
      throw new TargetFailure('outage', 'MODEL:AWAY', 'out of service');
    }
    if (this.#bad === 'a schema change' && hour >= 8 && hour < 20 && key.endsWith('0')) {
      this.#ledger.fail(n, 'refused');
      throw new TargetFailure('permanent', 'MODEL:SCHEMA', 'not in the schema');
    }
    if (!isCutOff()) this.#ledger.take(n);
  }

  /** Puts letters back, oldest first, but those of whose key a later entry arrived or waits. */
  #redrive(): void {
    for (const [shard, stream] of this.#streams.entries()) {
      const name = `s:${shard}`;
      const letters = stream.deadLetters.splice(0).map(({ sourceId }) => this.#ledger.entryAt(name, sourceId)!);
      for (const [key, ofKey] of Map.groupBy(letters, ({ key }) => key)) {
        const sorted = ofKey.map(({ n }) => n).sort((a, b) => a - b);
        const latest = this.#ofKey.get(key)!.slice(-sorted.length);
        for (const [at, n] of sorted.entries()) {
          const isLatest = latest[at] === n;
          this.#month.letters++;
          this.#month[isLatest ? 'redriven' : 'superseded']++;
          if (isLatest) this.#ledger.putBack(n, name, stream.add(this.#time.now, 'key', key));
          else this.#ledger.removed.add(n);
        }
      }
    }
  }

  #check(): void {
    const { faults, entries } = this.#ledger;
    if (this.#attempts > MOST_ATTEMPTS * (entries.size + this.#month.redriven)) {
      faults.push(`${this.#attempts} attempts`);
    }
    const shards = this.#streams.map((stream, shard): Snapshot => {
      const unread = stream.entries.slice(stream.next);
      const left = stream.pending.size + unread.length + stream.deadLetters.length;
      if (left > 0) faults.push(`${left} entries are left in shard ${shard}`);
      const lastDeliveredId = unread.length > 0 ? '0-0' : LAST_POSSIBLE_ID;
      return {
        stream: `s:${shard}`,
        lastDeliveredId,
        pending: [...stream.pending.keys()],
        unread: unread.length,
        letters: [],
      };
    });
    this.#ledger.checkEnd(shards);
  }

  async #until(at: number): Promise<void> {
    await this.#time.until(this.#time.sleep(Math.max(0, at - this.#time.now)));
  }
}

const away = () => new ConnectorError('STREAM:COMMAND', 'Redis is out of reach', { status: 503 });

/** What the server has, but for the entries themselves. */
function copyOf({
  next,
  pending,
  deadLetters,
  failures,
  crashes,
  alone,
  level,
  lease,
  restUntil,
  pausedUntil,
}: MemoryStream) {
  const held = Array.from(pending, ([id, known]) => [id, { ...known }] as const);
  const all = { next, alone, level, lease: lease && { ...lease }, restUntil, pausedUntil };
  return { all, held, deadLetters: [...deadLetters], failures: [...failures], crashes: [...crashes] };
}

/** The server goes back to what it had. */
function goBack(stream: MemoryStream, { all, held, deadLetters, failures, crashes }: ReturnType<typeof copyOf>): void {
  Object.assign(stream, all);
  for (const map of [stream.pending, stream.failures, stream.crashes]) map.clear();
  for (const [id, known] of held) stream.pending.set(id, known);
  for (const [id, failed] of failures) stream.failures.set(id, failed);
  for (const [id, count] of crashes) stream.crashes.set(id, count);
  stream.deadLetters.splice(0, Infinity, ...deadLetters);
}
