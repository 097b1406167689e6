import type { Entry } from '#lib/consumer/entry.ts';
import type { AttemptContext } from '#lib/consumer/targets/target.ts';
import { TargetFailure } from '#lib/consumer/targets/failure.ts';
import { LAST_POSSIBLE_ID } from '#lib/core/entry-id.ts';
import { ConnectorError } from '#lib/core/errors.ts';
import { Random } from '#test/support/random.ts';
import { Ledger, type Entry as LedgerEntry, type Snapshot } from '#test/faults/ledger.ts';
import type { MemoryStream } from '#test/support/consumer/memory-group.ts';
import { HOUR, MINUTE, SECOND, SETTINGS, VirtualRuns } from './virtual-runs.ts';

const SHARDS = 16;
const KEYS = 2000;
/** What the server forgets in a failover, and how long it is out of reach. */
const LAG_MS = 400;
const FAILOVER_MS = 2 * SECOND;
const FLOOD = 10_000;
/** For each entry, and each letter that was put back. */
const MOST_ATTEMPTS = 1.1;
/** What a failover forgets, comes again. */
const FAILOVERS = { repeats: true, uncounted: true, unseen: true, redisFails: true };
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
 * Lets the engine itself work through days of sixteen shards in virtual time, a run a minute, and looks whether
 * anything is lost or out of order.
 */
export async function playDays(days: number, seed: number): Promise<Month> {
  return new Days(seed).play(days);
}

class Days {
  readonly #runs = new VirtualRuns(SHARDS);
  readonly #time = this.#runs.time;
  readonly #streams = this.#runs.streams;
  readonly #random: Random;
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
      await this.#runs.until((minute + 1) * MINUTE);
      for (const stream of this.#streams) stream.forgetDelivered();
    }
    this.#bad = 'nothing';
    for (let minute = 0; minute < 30; minute++) {
      this.#redrive();
      this.#invoke();
      await this.#runs.until(this.#time.now + MINUTE);
    }
    await this.#runs.ended();
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
    await this.#runs.until(now + this.#random.between(0, 1000));
    const snapshots = this.#streams.map(copyOf);
    await this.#runs.until(this.#time.now + LAG_MS);
    this.#streams.forEach((stream, at) => goBack(stream, snapshots[at]!));
    this.#failovers++;
    this.#awayUntil = this.#time.now + FAILOVER_MS;
    this.#ledger.goBack();
  }

  #invoke(): void {
    this.#runs.begin(this.#run());
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
      const reply = await this.#runs.reply(() => {
        if (this.#failovers > begunIn || this.#time.now < this.#awayUntil) throw away();
        return work();
      });
      return calls >= diesAt ? never : reply;
    };
    const process = async ({ id }: Entry, { stream }: AttemptContext) => {
      if (calls >= diesAt) return never;
      await this.#attempt(this.#ledger.entryAt(stream, id)!, () => this.#failovers > begunIn);
      if (calls >= diesAt) return never;
    };
    this.#month.runs++;
    const consumed = this.#runs.consume({ process, clock, call });
    consumed.catch(() => this.#month.failed++);
    await Promise.race([consumed.catch(() => {}), died.promise]);
    if (calls >= diesAt) this.#month.killed++;
    this.#month.functionMs += this.#time.now - startedAt;
  }

  /** @param isCutOff whether the run lost its server: another run may have continued by now */
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
}

const away = () => new ConnectorError('STREAM:COMMAND', 'Redis is out of reach', { status: 503 });

/** What the server has, but for the entries themselves. */
function copyOf({
  next,
  pending,
  deadLetters,
  failures,
  crashes,
  isolatedId,
  level,
  lease,
  restUntil,
  pausedUntil,
}: MemoryStream) {
  const pendingEntries = Array.from(pending, ([id, known]) => [id, { ...known }] as const);
  const scalars = { next, isolatedId, level, lease: lease && { ...lease }, restUntil, pausedUntil };
  return { scalars, pendingEntries, deadLetters: [...deadLetters], failures: [...failures], crashes: [...crashes] };
}

/** Restores the server's previous state. */
function goBack(
  stream: MemoryStream,
  { scalars, pendingEntries, deadLetters, failures, crashes }: ReturnType<typeof copyOf>,
): void {
  Object.assign(stream, scalars);
  for (const map of [stream.pending, stream.failures, stream.crashes]) map.clear();
  for (const [id, known] of pendingEntries) stream.pending.set(id, known);
  for (const [id, failed] of failures) stream.failures.set(id, failed);
  for (const [id, count] of crashes) stream.crashes.set(id, count);
  stream.deadLetters.splice(0, Infinity, ...deadLetters);
}
