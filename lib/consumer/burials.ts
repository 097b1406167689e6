import { LeaseLost, type Burial } from './group/group.ts';
import type { Item } from './item.ts';
import type { RunParts } from './run-parts.ts';
import type { Shard } from './shard.ts';

/** Letters, and bytes of their entries, that one script writes at most: nothing else runs on the server meanwhile. */
const MOST = 100;
const MOST_BYTES = 1024 * 1024;

/** An entry that is to become a dead letter, and where it is. */
interface Waiting extends Burial {
  readonly shard: Shard;
  readonly item: Item;
  /** The shard may have been given back, and taken again, since. */
  readonly epoch: number;
}

/** Writes dead letters. Those of entries that fail together travel together, and each is written or not for itself. */
export class Burials {
  readonly #parts: Pick<RunParts, 'counts' | 'clock' | 'log' | 'changed'>;
  readonly #retry: (shard: Shard, item: Item) => void;
  #waiting: Waiting[] = [];

  /** @param retry keeps an entry whose dead letter was refused pending, to be tried again */
  constructor(
    parts: Pick<RunParts, 'counts' | 'clock' | 'log' | 'changed'>,
    retry: (shard: Shard, item: Item) => void,
  ) {
    this.#parts = parts;
    this.#retry = retry;
  }

  /** Makes a dead letter of an entry; where that is refused, the entry stays pending. */
  add(shard: Shard, item: Item, letter: Burial['letter']): void {
    shard.lanes.take(item);
    shard.burying++;
    this.#waiting.push({ shard, item, letter, key: item.lane.key, epoch: shard.epoch });
    if (this.#waiting.length === 1) process.nextTick(() => this.#send());
  }

  #send(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    let portion: Waiting[] = [];
    let bytes = 0;
    for (const burial of waiting) {
      const isFull = portion.length >= MOST || bytes + burial.item.bytes > MOST_BYTES;
      if (portion.length > 0 && (isFull || portion[0]!.shard !== burial.shard)) {
        void this.#write(portion);
        [portion, bytes] = [[], 0];
      }
      portion.push(burial);
      bytes += burial.item.bytes;
    }
    void this.#write(portion);
  }

  async #write(burials: readonly Waiting[]): Promise<void> {
    const { shard } = burials[0]!;
    try {
      const outcomes = await shard.group.bury(burials);
      burials.forEach((burial, at) => this.#settle(burial, outcomes[at]!));
    } catch (error) {
      if (error instanceof LeaseLost) shard.failed(error);
      else for (const burial of burials) this.#settle(burial, error);
    }
    shard.burying -= burials.length;
    this.#parts.changed();
  }

  /** @param outcome whether the entry was still there, or the error */
  #settle({ shard, item, letter, epoch }: Waiting, outcome: unknown): void {
    const { counts, clock, log } = this.#parts;
    const isCurrent = shard.epoch === epoch;
    if (typeof outcome !== 'boolean') {
      log.error('dead letter refused', { id: item.id, error: outcome });
      if (isCurrent) this.#retry(shard, item);
      return;
    }
    if (outcome) counts.deadLettered++;
    else counts.deleted++;
    const { deliveries, reason: detail, errorType: type } = letter;
    log.warn('entry given up', { id: item.id, type, deliveries, detail });
    if (isCurrent) shard.lanes.done(item, clock.now());
  }
}
