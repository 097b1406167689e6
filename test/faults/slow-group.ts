import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.ts';

const GROUP = 'slow';
const CONSUMER = 'other';
const READ_MS = 50;
const READ_COUNT = 5;
const ALL = 1000;

type Entries = readonly (readonly [id: string, fields: readonly string[] | null])[];

/**
 * A second group of the streams, if the world has one. It reads a few entries at a time, and acknowledges them later.
 * What it has not processed must stay on its stream, whatever the consumer's group does.
 */
export class SlowGroup {
  readonly #stage: Stage;
  readonly #streams: readonly string[];
  readonly #read = new Set<string>();
  /** Read, and not acknowledged. */
  readonly #open = new Map<string, string[]>();
  #reading: Promise<void> = Promise.resolve();

  private constructor(stage: Stage) {
    this.#stage = stage;
    this.#streams = stage.world.hasSlowGroup ? stage.streams : [];
  }

  /** @param isOver whether it is to read no further by itself */
  static async begin(stage: Stage, isOver: () => boolean): Promise<SlowGroup> {
    const group = new SlowGroup(stage);
    for (const stream of group.#streams) await stage.send(stream, 'XGROUP', 'CREATE', stream, GROUP, '0', 'MKSTREAM');
    group.#reading = group.#readInTurn(isOver);
    return group;
  }

  /** Reads what is left, once the play is over. Returns a fault for each stream that misses something. */
  async end(): Promise<string[]> {
    await this.#reading;
    const faults: string[] = [];
    for (const stream of this.#streams) {
      await this.#readNext(stream, '0', ALL); // among them what a lost reply had
      while ((await this.#readNext(stream, '>', ALL)) > 0);
      const { ledger } = this.#stage;
      const missing = ledger
        .ofStream(stream)
        .filter(({ n, id }) => !this.#read.has(`${stream} ${id}`) && !ledger.deleted.has(n))
        .map(({ n, id }) => `${n} (${id})`);
      if (missing.length > 0) faults.push(`the slow group misses of ${stream}: ${missing.slice(0, 3).join(', ')}`);
    }
    return faults;
  }

  async #readInTurn(isOver: () => boolean): Promise<void> {
    for (let turn = 0; !isOver() && this.#streams.length > 0; turn++) {
      await sleep(READ_MS);
      const stream = this.#streams[turn % this.#streams.length]!;
      const done = this.#open.get(stream) ?? [];
      this.#open.set(stream, []);
      await this.#acknowledge(stream, done)
        .then(() => this.#readNext(stream, '>', READ_COUNT))
        .catch(() => {}); // Redis has a trouble
    }
  }

  async #acknowledge(stream: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#stage.send(stream, 'XACK', stream, GROUP, ...ids);
  }

  async #readNext(stream: string, after: string, count: number): Promise<number> {
    const words = ['GROUP', GROUP, CONSUMER, 'COUNT', String(count), 'STREAMS', stream, after];
    const reply = await this.#stage.send<[[string, Entries]] | null>(stream, 'XREADGROUP', ...words);
    const entries = reply?.[0][1] ?? [];
    for (const [id, fields] of entries) if (fields !== null) this.#read.add(`${stream} ${id}`);
    this.#open.set(stream, [...(this.#open.get(stream) ?? []), ...entries.map(([id]) => id)]);
    return entries.length;
  }
}
