import { delayAfter } from '#lib/consumer/window/pending-entry.ts';
import { compareIds } from '#lib/core/entry-id.ts';
import type { World } from './world.ts';

/**
 * `invalid`: it never reaches the target; `refused`: the target never takes it; `failing`: it fails until a redrive.
 */
export type Fate = 'whole' | 'invalid' | 'refused' | 'failing';

/** An entry, as it was put on its stream. */
export interface Entry {
  /** Its place among all entries: of one key, the larger is the later. */
  readonly n: number;
  readonly stream: string;
  readonly id: string;
  /** Of one key, the target must have one after the other. */
  readonly key: string;
  readonly fate: Fate;
}

export interface Letter {
  readonly n: number;
  readonly sourceId: string;
  readonly errorType: string;
  /** How old its entry was when it was buried, by the clock of the server. */
  readonly ageMs: number;
}

/** The position of a shard's group at one moment. */
export interface Snapshot {
  readonly stream: string;
  readonly lastDeliveredId: string;
  readonly pending: readonly string[];
  readonly unread: number;
  readonly letters: readonly Letter[];
}

/** What a report of a run says, as far as it is judged. */
export interface Report {
  readonly stoppedBecause: string;
  readonly read: number;
  readonly processed: number;
  readonly failed: number;
  readonly deadLettered: number;
  readonly recovered: number;
  readonly deleted: number;
}

/** What the troubles of a world allow, and what a machine does that has no time for it. */
export interface Allowance {
  /** How often a key may go back: the server itself did. */
  rewinds: number;
  /** Entries may reach the target more than once. */
  repeats: boolean;
  /** Reports are missing, or counts were lost with them. */
  uncounted: boolean;
  /** Attempts may fail on their way, where the target does not see them. */
  unseen: boolean;
  /** Redis is out of reach now and then, so runs may fail. */
  redisFails: boolean;
  /** Runs may lose leases. */
  leasesLost: boolean;
}

/**
 * What a machine allows whose processes wait for their turn: late replies, late timers, lost leases. No loss, no
 * disorder.
 */
export const STARVED: Partial<Allowance> = {
  repeats: true,
  unseen: true,
  redisFails: true,
  leasesLost: true,
};

export function allowAll(...all: readonly Partial<Allowance>[]): Allowance {
  const some = (name: Exclude<keyof Allowance, 'rewinds'>) => all.some((one) => one[name] === true);
  return {
    rewinds: all.reduce((sum, { rewinds = 0 }) => sum + rewinds, 0),
    repeats: some('repeats'),
    uncounted: some('uncounted'),
    unseen: some('unseen'),
    redisFails: some('redisFails'),
    leasesLost: some('leasesLost'),
  };
}

/** How far a run that nothing disturbs may be wrong about the clock of the server. */
const CLOCK_MS = 100;

/** The entries of a key in the call of the target that had it last. */
interface LastCall {
  readonly call: number;
  readonly first: number;
  last: number;
}

/** What the target was given, and what became of it, against what was put on the streams. */
export class Ledger {
  readonly faults: string[] = [];
  readonly entries = new Map<number, Entry>();
  allowance: Allowance;
  /** Entries that need not arrive: they were removed from the stream, or a new group skips them. */
  readonly removed = new Set<number>();
  /** Of them, those that the stream does not have. */
  readonly deleted = new Set<number>();
  /** Attempts that the target did not answer with success, by the entry. */
  readonly #failures = new Map<number, { own: number; refused: number; batch: number; all: number; lastAt: number }>();
  /** Attempts that came sooner after a failure than half of the back-off. */
  hasty = 0;
  /** Containers that were killed while the entry was on its way. */
  readonly #kills = new Map<number, number>();
  /** Of each key, what the target took last, and what it took after something later. */
  readonly #last = new Map<string, LastCall>();
  readonly #back = new Map<string, string[]>();
  /** How often runs lost the lease of a stream. */
  readonly #leasesLost = new Map<string, number>();
  readonly #times = new Map<number, number[]>();
  /** Entries that a group was given by an operator, which must arrive after that. */
  #again: { entry: Entry; from: number }[] = [];
  readonly #byId = new Map<string, Entry>();
  readonly #maxDeliveries: number;
  readonly #backoffMs: number;
  /** An entry that is older is given up at any failure. */
  readonly #maxAgeMs: number;
  readonly #now: () => number;
  processed = 0;
  attempts = 0;
  failed = 0;
  repeated = 0;
  wentBack = 0;

  /** @param now the time of its world */
  constructor({ consumer }: Pick<World, 'consumer'>, allowance: Partial<Allowance>, now = () => performance.now()) {
    this.#now = now;
    this.#maxDeliveries = Number(consumer.maxDeliveries ?? 5);
    this.#backoffMs = Number(consumer.backoffMs ?? 1000);
    this.#maxAgeMs = Number(consumer.maxAgeMs ?? Infinity);
    this.allowance = allowAll(allowance);
  }

  expect(entry: Entry): void {
    this.entries.set(entry.n, entry);
    if (entry.id !== '') this.#byId.set(`${entry.stream} ${entry.id}`, entry);
  }

  entryAt(stream: string, id: string): Entry | undefined {
    return this.#byId.get(`${stream} ${id}`);
  }

  ofStream(stream: string): Entry[] {
    return [...this.entries.values()].filter((entry) => entry.stream === stream && entry.id !== '');
  }

  delete(n: number): void {
    this.removed.add(n);
    this.deleted.add(n);
  }

  /** A letter was put back on the stream. */
  putBack(n: number, stream: string, id: string): void {
    const entry = { ...this.entries.get(n)!, stream, id };
    this.entries.set(n, entry);
    this.#byId.set(`${stream} ${id}`, entry);
  }

  /** @param call of the target: entries of a key may come together, and then again together */
  take(n: number, call = this.processed): void {
    this.processed++;
    const { key } = this.entries.get(n)!;
    const before = this.#last.get(key);
    const isFirst = before?.call !== call;
    const isBack = before !== undefined && (isFirst ? n < before.first : n < before.last);
    if (isBack || (before && n < before.last && !this.hasTaken(n))) {
      const back = this.#back.get(key) ?? [];
      this.#back.set(key, [...back, `${this.#nameOf(before.last)} ${this.#nameOf(n)}`]);
    }
    this.#last.set(key, { call, first: isFirst ? n : before.first, last: n });
    const times = this.#times.get(n) ?? [];
    if (times.length > 0) this.repeated++;
    this.#times.set(n, [...times, this.#now()]);
  }

  #nameOf(n: number): string {
    return `${n} (${this.entries.get(n)!.id})`;
  }

  hasTaken(n: number): boolean {
    return this.#times.has(n);
  }

  /** An attempt begins. */
  begin(n: number): void {
    const { lastAt = -Infinity } = this.#failures.get(n) ?? {};
    if (this.#now() - lastAt < this.#backoffMs / 2) this.hasty++;
  }

  /** A run says that it lost the lease of a stream: what it had begun may come late, once for each key. */
  loseLease(stream: string): void {
    this.#leasesLost.set(stream, (this.#leasesLost.get(stream) ?? 0) + 1);
  }

  /** `session`: it is tried again at once, after a login. `batch`: its batch failed as a whole, and so is no reason. */
  fail(n: number, kind: 'own' | 'refused' | 'batch' | 'other' | 'session'): void {
    const failures = this.#failures.get(n) ?? { own: 0, refused: 0, batch: 0, all: 0, lastAt: 0 };
    this.#failures.set(n, failures);
    failures.all++;
    this.failed++;
    if (kind === 'session') return;
    failures.lastAt = this.#now();
    if (kind !== 'other') failures[kind]++;
  }

  /** A container was killed while these were on their way to the target. */
  killed(underWay: Iterable<number>): void {
    for (const n of underWay) this.#kills.set(n, (this.#kills.get(n) ?? 0) + 1);
  }

  /** A new group of a stream begins with these entries, whether they were processed or not, and has none before. */
  startAgain(stream: string, ids: readonly string[], from: number): void {
    this.#again = this.#again.filter(({ entry }) => entry.stream !== stream || ids.includes(entry.id));
    this.deliverAgain(stream, ids, from);
  }

  /** A group of a stream is set back: it is given these entries, whether they were processed or not. */
  deliverAgain(stream: string, ids: readonly string[], from: number): void {
    for (const id of ids) {
      const entry = this.entryAt(stream, id);
      if (entry) this.#again.push({ entry, from });
    }
  }

  /** The server itself goes back: keys may come again from anywhere. */
  goBack(): void {
    this.#last.clear();
  }

  /** How long an entry that the target has not taken may wait after its last failure, in milliseconds. */
  get longestBackOffMs(): number {
    const failures = [...this.#failures].map(([n, { all }]) => (this.hasTaken(n) ? 0 : all));
    return delayAfter(Math.max(0, ...failures), this.#backoffMs);
  }

  /** What of the entries is done with, 0 to 1. */
  get progress(): number {
    return Math.min(1, (this.#times.size + this.removed.size) / Math.max(1, this.entries.size));
  }

  /** Whatever is acknowledged by now must have been taken, or be a dead letter. */
  checkAcknowledged(shards: readonly Snapshot[]): void {
    for (const { stream, lastDeliveredId, pending, letters } of shards) {
      const isPending = new Set(pending);
      const isLetter = new Set(letters.map(({ n }) => n));
      for (const { n, id, key } of this.ofStream(stream)) {
        const isOpen = isPending.has(id) || compareIds(id, lastDeliveredId) > 0;
        if (isOpen || isLetter.has(n) || this.hasTaken(n) || this.removed.has(n)) continue;
        this.faults.push(`${n} (${key}, ${stream} ${id}) was acknowledged before its target had it`);
      }
    }
  }

  checkEnd(shards: readonly Snapshot[]): void {
    const letters = shards.flatMap(({ letters }) => letters);
    const isLetter = new Set(letters.map(({ n }) => n));
    const delivered = new Map(shards.map(({ stream, lastDeliveredId }) => [stream, lastDeliveredId]));
    const pending = new Set(shards.flatMap(({ stream, pending }) => pending.map((id) => `${stream} ${id}`)));
    const waits = ({ stream, id }: Entry) =>
      pending.has(`${stream} ${id}`) || compareIds(id, delivered.get(stream) ?? '0-0') > 0;
    for (const entry of this.entries.values()) {
      const { n, key, stream, id, fate } = entry;
      const isDone = isLetter.has(n) || this.hasTaken(n) || this.removed.has(n) || waits(entry);
      if (!isDone) this.faults.push(`${n} (${key}, ${stream} ${id}, ${fate}) is lost`);
      if (fate === 'invalid' && this.hasTaken(n)) this.faults.push(`${n} (${key}) is invalid, and was taken`);
    }
    for (const { entry, from } of this.#again) {
      const hasCome = this.#times.get(entry.n)?.some((time) => time >= from) || isLetter.has(entry.n);
      if (hasCome || this.removed.has(entry.n) || waits(entry)) continue;
      this.faults.push(
        `${entry.n} (${entry.key}, ${entry.stream} ${entry.id}) was given to its group anew, and is lost`,
      );
    }
    for (const letter of letters) this.#checkLetter(letter);
    this.faults.push(...this.copiesOf(letters));
    this.#checkOrder();
  }

  /** What was buried more than once, where that is not allowed. */
  copiesOf(letters: readonly Letter[]): string[] {
    if (this.allowance.repeats) return [];
    const copies = Map.groupBy(letters, ({ sourceId, n }) => `${n} of ${sourceId}`);
    return [...copies]
      .filter(([, { length }]) => length > 1)
      .map(([name, { length }]) => `${name} is ${length} dead letters`);
  }

  /** Nothing may be buried that the target did not refuse, or fail often enough, or that did not kill its runs. */
  #checkLetter({ n, errorType, ageMs }: Letter): void {
    const { fate, key } = this.entries.get(n)!;
    const { own = 0, refused = 0, batch = 0, all = 0 } = this.#failures.get(n) ?? {};
    const alone = all - batch;
    const kills = this.#kills.get(n) ?? 0;
    const isCrash = errorType === 'CONNECTOR:CRASH';
    const isGivenUp = errorType === 'CONNECTOR:TIMEOUT' && alone >= this.#maxDeliveries;
    const isOld = ageMs > this.#maxAgeMs - CLOCK_MS;
    const isTooOld = this.allowance.unseen ? this.#maxAgeMs < Infinity : alone > 0 && isOld;
    const isHopeless = fate === 'invalid' || refused > 0 || own >= this.#maxDeliveries;
    const isFair = isCrash ? kills >= 3 : isHopeless || isGivenUp || isTooOld;
    if (isFair && errorType !== 'CONNECTOR:INTERNAL') return;
    const seen =
      `${own} own failures of ${this.#maxDeliveries}, ${refused} refusals, ${alone - own - refused} outages, ` +
      `${batch} of a batch`;
    this.faults.push(
      `${n} (${key}) is a dead letter as ${errorType}, after ${ageMs} ms, and the target says: ${seen}, ${kills} kills`,
    );
  }

  #checkOrder(): void {
    for (const [key, back] of this.#back) {
      this.wentBack += back.length;
      const { stream } = [...this.entries.values()].find((entry) => entry.key === key)!;
      if (back.length <= this.allowance.rewinds + (this.#leasesLost.get(stream) ?? 0)) continue;
      this.faults.push(`${key} went back ${back.length} times: ${back.slice(0, 5).join(', ')}`);
    }
  }

  /** Reports of all runs, together. */
  checkReports(reports: readonly Report[], shards: readonly Snapshot[]): void {
    const sum = (name: Exclude<keyof Report, 'stoppedBecause'>) => reports.reduce((all, one) => all + one[name], 0);
    const { repeats, uncounted, unseen, leasesLost } = this.allowance;
    if (!leasesLost && this.#leasesLost.size > 0) {
      this.faults.push(`leases were lost of ${[...this.#leasesLost.keys()].slice(0, 5).join(', ')}`);
    }
    if (!unseen && sum('failed') > this.failed) {
      this.faults.push(`${sum('failed')} are counted as failed, and the target failed ${this.failed}`);
    }
    if (sum('deleted') > this.deleted.size) {
      this.faults.push(`${sum('deleted')} are counted as deleted, and ${this.deleted.size} were`);
    }
    if (uncounted || this.#leasesLost.size > 0) return;
    const pending = shards.reduce((all, shard) => all + shard.pending.length, 0);
    const left = sum('processed') + sum('deadLettered') + sum('deleted') + pending;
    if (sum('read') !== left) this.faults.push(`${sum('read')} are counted as read, and ${left} as left`);
    if (!repeats && this.hasty > 0) this.faults.push(`${this.hasty} were tried again at once`);
    if (!repeats && this.repeated > 0) this.faults.push(`${this.repeated} were done twice`);
  }
}
