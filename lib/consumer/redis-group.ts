import { randomUUID } from 'node:crypto';
import type { ConnectorError } from '../core/errors.ts';
import type { Command, Redis, Reply } from '../redis/redis.ts';
import { xackCommand } from '../stream/commands/xack.ts';
import { xgroupCreateCommand } from '../stream/commands/xgroup-create.ts';
import { xinfoGroupsCommand } from '../stream/commands/xinfo-groups.ts';
import { xpendingCommand, xpendingSummaryCommand, type PendingEntry } from '../stream/commands/xpending.ts';
import { decodeEntries, type Entry } from './entry.ts';
import { encodeDeadLetter, type DeadLetter } from './dead-letter.ts';
import { LeaseLost, type Acquired, type Group, type Holder, type Progress } from './group.ts';
import { fenceKeyOf, leaseKeyOf, restKeyOf } from './names.ts';
import { acquireScript, buryScript, claimScript, giveBackScript, releaseScript, renewScript } from './scripts.ts';
import { trimStream } from './trim.ts';

/** One name for all runs: they come one after the other, and a name a run would leak consumers. */
const CONSUMER: Holder = 'stream-consumer';

/** Ids a script: Lua unpacks no more than 8,000 values. */
const MAX_IDS = 5000;

export interface GroupOptions {
  stream: string;
  group: string;
  /** How long the lease outlives the last sign of life, in milliseconds. */
  leaseMs: number;
  /** Where a group that does not exist begins. */
  startId: string;
  /** In the slot of the stream. */
  deadLetterStream: string;
}

/** A consumer group on a real Redis. */
export class RedisGroup implements Group {
  readonly #redis: Redis;
  readonly #options: GroupOptions;
  readonly #token = randomUUID();
  readonly #lease: string;
  readonly #fence: string;
  readonly #pause: string;

  constructor(redis: Redis, options: GroupOptions) {
    const { stream, group } = options;
    this.#redis = redis;
    this.#options = options;
    this.#lease = leaseKeyOf(stream, group);
    this.#fence = fenceKeyOf(stream, group, this.#token);
    this.#pause = restKeyOf(stream, group);
  }

  async acquire(): Promise<Acquired> {
    const { group, leaseMs } = this.#options;
    const keys = [this.#lease, this.#fence, this.#pause];
    return (await this.#redis.send(acquireScript(keys, [this.#token, leaseMs, group]))) as Acquired;
  }

  async renew(): Promise<boolean> {
    const keys = [this.#lease, this.#fence];
    return (await this.#redis.send(renewScript(keys, [this.#token, this.#options.leaseMs]))) === 'renewed';
  }

  async release(pauseMs: number): Promise<void> {
    const keys = [this.#lease, this.#fence, this.#pause];
    await this.#redis.send(releaseScript(keys, [this.#token, Math.ceil(pauseMs)]));
  }

  async create(): Promise<boolean> {
    const { stream, group, startId } = this.#options;
    try {
      await this.#redis.send(xgroupCreateCommand({ key: stream, group, lastEntryId: startId, mkstream: true }));
      return true;
    } catch (error) {
      if ((error as ConnectorError).upstreamCode === 'BUSYGROUP') return false;
      throw error;
    }
  }

  /**
   * Reads the stream together with the fence, a stream that expires with the lease: XREADGROUP delivers nothing at all
   * when one of its streams has no such group. So a read that was held up on its way, in a paused container or a
   * stalled network, cannot take entries away from the run that holds the lease by then.
   */
  async read(count: number): Promise<Entry[]> {
    const { stream, group } = this.#options;
    const streams = ['STREAMS', stream, this.#fence, '>', '>'];
    return this.#redis.send({
      key: stream,
      args: ['XREADGROUP', 'GROUP', group, CONSUMER, 'COUNT', String(count), ...streams],
      decode: (reply) => decodeEntries((reply as [string, Reply][] | null)?.[0]?.[1] ?? null),
    });
  }

  async ack(ids: readonly string[]): Promise<void> {
    const { stream, group } = this.#options;
    await this.#redis.send(xackCommand(stream, group, ids));
  }

  pendingAfter(id: string, count: number): Promise<PendingEntry[]> {
    return this.#redis.send(xpendingCommand(this.#options.stream, this.#options.group, id, count));
  }

  async peek(ids: readonly string[]): Promise<Entry[]> {
    const { stream } = this.#options;
    const entryOf = (id: string): Command<Entry[]> => ({
      key: stream,
      args: ['XRANGE', stream, id, id],
      decode: decodeEntries,
    });
    return (await Promise.all(ids.map((id) => this.#redis.send(entryOf(id))))).flat();
  }

  async claim(ids: readonly string[], holder: Holder): Promise<Entry[]> {
    return decodeEntries(await this.#sendHeld(claimScript(this.#held(), this.#args(holder, ...ids))));
  }

  async giveBack(ids: readonly string[], deliveries: number, idleMs: number): Promise<void> {
    const returned: Promise<unknown>[] = [];
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      const args = this.#args(CONSUMER, deliveries, idleMs, ...ids.slice(from, from + MAX_IDS));
      returned.push(this.#sendHeld(giveBackScript(this.#held(), args)));
    }
    await Promise.all(returned);
  }

  async bury(letter: DeadLetter): Promise<boolean> {
    const { group, deadLetterStream } = this.#options;
    const args = [this.#token, group, letter.sourceId, ...encodeDeadLetter(this.#options, letter)];
    return (await this.#sendHeld(buryScript([...this.#held(), deadLetterStream], args))) === 'buried';
  }

  async progress(): Promise<Progress> {
    const { stream, group } = this.#options;
    const [summary, groups] = await Promise.all([
      this.#redis.send(xpendingSummaryCommand(stream, group)),
      this.#redis.send(xinfoGroupsCommand(stream)),
    ]);
    const { lag } = groups.find(({ name }) => name === group) ?? {};
    return { ...summary, lag: typeof lag === 'number' ? lag : null };
  }

  trim(): Promise<number> {
    return trimStream(this.#redis, this.#options.stream);
  }

  #held(): string[] {
    return [this.#lease, this.#options.stream];
  }

  #args(...more: (string | number)[]): (string | number)[] {
    return [this.#token, this.#options.group, ...more];
  }

  async #sendHeld<T>(command: Command<T>): Promise<T> {
    try {
      return await this.#redis.send(command);
    } catch (error) {
      if ((error as ConnectorError).upstreamCode === 'LEASELOST') throw new LeaseLost();
      throw error;
    }
  }
}
