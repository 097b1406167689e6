import { compareIds } from '#lib/core/entry-id.ts';

/** An entry of a stream, as it was put there. */
export interface Expected {
  stream: string;
  id: string;
  key: string;
  /** Its place among the entries of its key. */
  seq: number;
  isBroken: boolean;
}

/** Where the group of a stream stands at one moment. */
export interface Snapshot {
  stream: string;
  lastDeliveredId: string;
  pending: string[];
  deadLetters: string[];
}

export interface Tolerance {
  /** Entries were removed from the stream, so they need not arrive. */
  mayLose?: (id: string) => boolean;
  /** How often a key may go back: the server itself went back in time, or a paused container sent what it had begun. */
  rewinds?: number;
}

/** What the target was given, against what was put on the streams. */
export class Ledger {
  readonly expected: Expected[] = [];
  readonly #ofStream = new Map<string, Expected[]>();
  /** Sequence numbers the target took, by key. */
  readonly #taken = new Map<string, number[]>();
  /** `key seq` of all that was taken. */
  readonly #everTaken = new Set<string>();
  readonly faults: string[] = [];
  /** Entries that the target should take. */
  #whole = 0;
  taken = 0;
  /** How often an old entry came after a newer one of its key. */
  wentBack = 0;

  expect(entry: Expected): void {
    this.expected.push(entry);
    if (!entry.isBroken) this.#whole++;
    const list = this.#ofStream.get(entry.stream);
    if (list) list.push(entry);
    else this.#ofStream.set(entry.stream, [entry]);
  }

  /** The target takes an entry: from here on it may be acknowledged. */
  take(key: string, seq: number): void {
    this.taken++;
    this.#everTaken.add(`${key} ${seq}`);
    const list = this.#taken.get(key);
    if (list) list.push(seq);
    else this.#taken.set(key, [seq]);
  }

  hasTaken(key: string, seq: number): boolean {
    return this.#everTaken.has(`${key} ${seq}`);
  }

  /** How much of what was put on the streams the target has, 0 to 1. */
  get progress(): number {
    return this.#everTaken.size / Math.max(1, this.#whole);
  }

  /** Whatever is acknowledged by now must have been taken, or be a dead letter. */
  checkAcknowledged(snapshots: readonly Snapshot[]): void {
    for (const { stream, lastDeliveredId, pending, deadLetters } of snapshots) {
      const isOpen = new Set([...pending, ...deadLetters]);
      for (const { id, key, seq } of this.#ofStream.get(stream) ?? []) {
        if (isOpen.has(id) || this.#everTaken.has(`${key} ${seq}`) || compareIds(id, lastDeliveredId) > 0) continue;
        this.faults.push(`${id} (${key} #${seq}) was acknowledged before its target had it`);
      }
    }
  }

  /** Nothing lost, no key out of order, each broken entry a dead letter once. */
  checkEnd(snapshots: readonly Snapshot[], { mayLose = () => false, rewinds = 0 }: Tolerance = {}): void {
    for (const { stream, pending, deadLetters } of snapshots) {
      for (const id of pending) this.faults.push(`${id} is still pending`);
      const letters = Map.groupBy(deadLetters, (id) => id);
      for (const { id, key, seq, isBroken } of this.#ofStream.get(stream) ?? []) {
        const copies = letters.get(id)?.length ?? 0;
        const name = `${id} (${key} #${seq})`;
        if (!isBroken && copies > 0) this.faults.push(`${name} is a dead letter, and not broken`);
        if (isBroken && copies > 1 + rewinds) this.faults.push(`${name} is ${copies} dead letters`);
        const hasArrived = isBroken ? copies > 0 : this.hasTaken(key, seq);
        if (!hasArrived && !mayLose(id)) this.faults.push(`${name} is lost`);
      }
    }
    this.checkOrder(rewinds);
  }

  /** No key out of order. */
  checkOrder(rewinds = 0): void {
    for (const [key, list] of this.#taken) {
      const back = list.filter((seq, at) => seq < list[at - 1]!);
      this.wentBack += back.length;
      if (back.length > rewinds) this.faults.push(`${key} went back ${back.length} times, to ${back.join(', ')}`);
    }
  }
}
