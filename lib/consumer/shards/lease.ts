import type { Clock } from '../clock.ts';
import { LeaseLost, type Acquired, type Group, type Renewed } from '../group/group.ts';

/** Longest time between two checks of the lease on the server, in milliseconds. */
const CHECK_MS = 500;

/**
 * The lease, which makes a run the only one of its group. It is renewed twice a second, or three times in its length,
 * and counts as lost as soon as it could have expired, by a clock that continues while the process is suspended.
 */
export class Lease {
  readonly #group: Group;
  readonly #clock: Clock;
  readonly #ms: number;
  #validUntil = 0;
  #renewAt = 0;

  constructor(group: Group, clock: Clock, ms: number) {
    this.#group = group;
    this.#clock = clock;
    this.#ms = ms;
  }

  get validUntil(): number {
    return this.#validUntil;
  }

  get renewAt(): number {
    return this.#renewAt;
  }

  async acquire(): Promise<Acquired> {
    const sentAt = this.#clock.now();
    const acquired = await this.#group.acquire();
    if (acquired.result === 'acquired') this.#extend(sentAt);
    return acquired;
  }

  /**
   * Returns whether an operator has paused the group, and who asks for the shard.
   *
   * @throws {LeaseLost} if another run may hold it by now
   */
  async renew(): Promise<Renewed> {
    const sentAt = this.#clock.now();
    const renewed = await this.#group.renew();
    if (renewed.result === 'lost') throw new LeaseLost();
    this.#extend(sentAt);
    return renewed;
  }

  #extend(sentAt: number): void {
    this.#validUntil = sentAt + this.#ms;
    this.#renewAt = sentAt + Math.min(CHECK_MS, this.#ms / 3);
  }
}
