import type { Clock } from './clock.ts';
import { LeaseLost, type Acquired, type Group } from './group.ts';

/**
 * What makes a run the only one of its group. It is renewed three times in its length, and counts as lost as soon as it
 * could have expired, by a clock that goes on while the process is paused.
 */
export class Lease {
  readonly #group: Group;
  readonly #clock: Clock;
  readonly #ms: number;
  #validUntil = 0;

  constructor(group: Group, clock: Clock, ms: number) {
    this.#group = group;
    this.#clock = clock;
    this.#ms = ms;
  }

  get validUntil(): number {
    return this.#validUntil;
  }

  get renewAt(): number {
    return this.#validUntil - (this.#ms * 2) / 3;
  }

  async acquire(): Promise<Acquired> {
    const sentAt = this.#clock.now();
    const acquired = await this.#group.acquire();
    if (acquired === 'acquired') this.#validUntil = sentAt + this.#ms;
    return acquired;
  }

  /** @throws {LeaseLost} when it is not ours any more */
  async renew(): Promise<void> {
    const sentAt = this.#clock.now();
    if (!(await this.#group.renew())) throw new LeaseLost();
    this.#validUntil = sentAt + this.#ms;
  }

  /** The server has said that it is not ours any more. */
  lose(): void {
    this.#validUntil = 0;
  }
}
