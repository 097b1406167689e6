import { randomUUID } from 'node:crypto';
import type { ConnectorError } from '../../core/errors.ts';
import type { Redis, Reply } from '../../redis/redis.ts';
import { xackCommand } from '../../stream/commands/xack.ts';
import { xgroupCreateCommand } from '../../stream/commands/xgroup-create.ts';
import { decodeEntries, type Entry, hashOfKey, idsOf, joinKey } from '../entry.ts';
import { encodeLetter } from '../dead-letters/letter.ts';
import {
  type Acquired,
  type Burial,
  type Buried,
  type Failed,
  type Group,
  LeaseLost,
  type Leaving,
  type Look,
  type PendingPage,
  type PendingRow,
  type Released,
} from './group.ts';
import { acquireScript, lookScript, releaseScript, renewScript, restScript } from './lease-scripts.ts';
import {
  fenceKeyOf,
  leaseKeyOf,
  pauseKeyOf,
  restKeyOf,
  stateKeyOf,
  supersededKeyOf,
  wakeKeyOf,
} from '../redis-keys.ts';
import type { Script } from '../../redis/script.ts';
import { ackNotedScript, buryScript, claimScript, endScript, forgetScript, giveBackScript, levelScript, lookUpScript, survivedScript, sweepScript } from './entry-scripts.ts'; // prettier-ignore
import { encodeFailed } from './last-failure.ts';
import { trimStream } from './trim.ts';

/** One consumer name for all runs: a name per run would leak consumers. */
const CONSUMER = 'stream-consumer';
/** Idle time of an entry that is given back, so that no back-off delays it in the next run. */
const LONG_AGO_MS = 86_400_000;

/**
 * The entries that runs of this process tried alone, by the key of their group's state, until Redis knows the outcome.
 * What is left here when a run ends was cut off from Redis, and did not crash.
 */
const triedAloneHere: TriedAlone = new Map();
type TriedAlone = Map<string, { readonly token: string; readonly id: string }>;

export interface GroupOptions {
  stream: string;
  group: string;
  /** Life of the lease after its last renewal, in milliseconds. */
  leaseMs: number;
  /** Start of a new group. */
  startId: string;
  /** In the slot of the stream. */
  deadLetterStream: string;
  /** The fields that make the ordering key. */
  keyFields: readonly string[];
  /** The memory of the process. Tests that play several in one give each its own. */
  triedAlone?: TriedAlone;
}

/** A consumer group on a real Redis. */
export class RedisGroup implements Group {
  readonly #redis: Redis;
  readonly #options: GroupOptions;
  readonly #triedAlone: TriedAlone;
  #token = randomUUID();
  readonly #keys: Record<'lease' | 'fence' | 'rest' | 'pause' | 'wake' | 'state' | 'superseded', string>;
  /** Whether any key of the group has a dead letter, so that acknowledgements may need notes. */
  #hasLetters = false;
  /** Whether room was made in the state since the lease was acquired. */
  #hasSwept = false;

  constructor(redis: Redis, options: GroupOptions) {
    const { stream, group } = options;
    this.#redis = redis;
    this.#options = options;
    this.#triedAlone = options.triedAlone ?? triedAloneHere;
    this.#keys = {
      lease: leaseKeyOf(stream, group),
      fence: fenceKeyOf(stream, group, this.#token),
      rest: restKeyOf(stream, group),
      pause: pauseKeyOf(stream, group),
      wake: wakeKeyOf(stream, group),
      state: stateKeyOf(stream, group),
      superseded: supersededKeyOf(stream, group),
    };
  }

  async look(): Promise<Look> {
    const { stream, group, deadLetterStream } = this.#options;
    const { lease, rest, pause } = this.#keys;
    const reply = await lookScript.run(this.#redis, [stream, lease, rest, pause, deadLetterStream], [group]);
    const [state, pending, lag, oldestId, unreadId, length, deadLetters] = reply;
    return {
      state: state as Look['state'],
      pending: Number(pending),
      lag: lag === null ? null : Number(lag),
      oldestId,
      unreadId,
      length: Number(length),
      deadLetters: Number(deadLetters),
    };
  }

  async acquire(): Promise<Acquired> {
    const { stream, group, leaseMs, startId } = this.#options;
    await this.#clearMark(); // before another crash could be counted
    this.#hasSwept = false;
    this.#token = randomUUID(); // a new token, so that late commands of an earlier lease do not count
    this.#keys.fence = fenceKeyOf(stream, group, this.#token);
    const { lease, fence, rest, pause, wake, state, superseded } = this.#keys;
    const keys = [lease, fence, rest, pause, wake, state, superseded, stream];
    const reply = await acquireScript.run(this.#redis, keys, [this.#token, leaseMs, group, startId]);
    const [outcome, level, hasLetters, hasGroup, firstRead] = reply;
    this.#hasLetters = hasLetters === '1';
    return {
      ...{ outcome: outcome as Acquired['outcome'], level: numberOf(level) },
      ...{ hasGroup: hasGroup === '1', firstRead: numberOf(firstRead) },
    };
  }

  async renew(): Promise<'renewed' | 'paused' | 'lost'> {
    const { lease, fence, pause } = this.#keys;
    const renewed = await renewScript.run(this.#redis, [lease, fence, pause], [this.#token, this.#options.leaseMs]);
    return renewed as 'renewed' | 'paused' | 'lost';
  }

  async release({ isDrained, restMs }: { isDrained: boolean; restMs: number }): Promise<Released> {
    const { stream, group } = this.#options;
    const { lease, fence, rest } = this.#keys;
    const args = [this.#token, Math.ceil(restMs), group, isDrained ? 'drained' : 'ended'];
    return (await releaseScript.run(this.#redis, [lease, fence, rest, stream], args)) as Released;
  }

  async rest(ms: number): Promise<void> {
    await restScript.run(this.#redis, [this.#keys.lease, this.#keys.rest], [Math.ceil(ms)]);
  }

  async create(): Promise<boolean> {
    const { stream, group, startId } = this.#options;
    try {
      await this.#redis.send(xgroupCreateCommand({ key: stream, group, lastEntryId: startId, mkstream: true }));
      await this.#redis.send({ key: stream, args: ['DEL', this.#keys.state], decode: String });
      return true;
    } catch (error) {
      if ((error as ConnectorError).upstreamCode === 'BUSYGROUP') return false;
      throw error;
    }
  }

  /**
   * Reads the stream together with the fence, a stream that expires with the lease: XREADGROUP delivers nothing if one
   * of its streams has no such group. A read that was delayed, in a suspended process or a stalled network, therefore
   * cannot take entries from the run that holds the lease by then.
   */
  async read(count: number, blockMs?: number): Promise<Entry[]> {
    const { stream, group } = this.#options;
    const block = blockMs === undefined ? [] : ['BLOCK', String(Math.ceil(blockMs))];
    const streams = ['STREAMS', stream, this.#keys.fence, '>', '>'];
    return this.#redis.send({
      key: stream,
      args: ['XREADGROUP', 'GROUP', group, CONSUMER, 'COUNT', String(count), ...block, ...streams],
      blockMs,
      asBytes: 'not-utf8',
      decode: (reply) => decodeEntries((reply as [string, Reply][] | null)?.[0]?.[1] ?? null),
    });
  }

  /** Sends XACK, the removal of state, and a check of the lease in one packet. */
  async ack(items: readonly Leaving[]): Promise<void> {
    const { stream, group } = this.#options;
    const { state, superseded, lease } = this.#keys;
    const sent: Promise<unknown>[] = [];
    if (this.#hasLetters) {
      const noted = items.flatMap(({ id, keyQueue }) => [id, hashOfKey(keyQueue.key)]);
      for (const words of portions(noted)) sent.push(ackNotedScript.run(this.#redis, [stream, superseded], [group, ...words])); // prettier-ignore
    } else {
      sent.push(this.#redis.send(xackCommand(stream, group, idsOf(items))));
    }
    const forgotten = items.filter(({ hasState }) => hasState).flatMap(({ id }) => [`e:${id}`, `c:${id}`]);
    const args = ['HDEL', state, 'alone', 'alone-by', ...forgotten];
    if (forgotten.length > 0) sent.push(this.#redis.send({ key: state, args, decode: String }));
    const holding = this.#redis.send({ key: lease, args: ['GET', lease], decode: (reply) => reply });
    const [holder] = await Promise.all([holding, ...sent]);
    this.#forgetAlone(idsOf(items));
    if (holder !== this.#token) throw new LeaseLost();
  }

  async forgetDeleted(ids: readonly string[]): Promise<number> {
    const counts = await this.#inPortions(forgetScript, [this.#options.stream, this.#keys.state], [], ids);
    this.#forgetAlone(ids);
    return counts.reduce((sum, deleted) => sum + deleted, 0);
  }

  async survived(id: string): Promise<void> {
    await survivedScript.run(this.#redis, [this.#keys.state], [this.#token, id]);
    this.#forgetAlone([id]);
  }

  /** Removes the mark of an entry that an earlier run of this process tried alone. */
  async #clearMark(): Promise<void> {
    const { state } = this.#keys;
    const mark = this.#triedAlone.get(state);
    if (!mark) return;
    await survivedScript.run(this.#redis, [state], [mark.token, mark.id]);
    this.#triedAlone.delete(state);
  }

  /** Redis knows the outcomes of these entries. */
  #forgetAlone(ids: readonly string[]): void {
    const mark = this.#triedAlone.get(this.#keys.state);
    if (mark && ids.includes(mark.id)) this.#triedAlone.delete(this.#keys.state);
  }

  async lookUp(after: string, count: number, bytes: number): Promise<PendingPage> {
    const { stream, group, keyFields } = this.#options;
    const args = [group, after, count, bytes, ...keyFields];
    const [isLast, rows] = await lookUpScript.run(this.#redis, [stream, this.#keys.state], args);
    return { rows: rows.map(decodeRow), isLast: isLast === '1' };
  }

  async claim(ids: readonly string[], { isAlone } = { isAlone: false }): Promise<Entry[]> {
    const { state } = this.#keys;
    const [id] = ids;
    if (isAlone && id !== undefined) this.#triedAlone.set(state, { token: this.#token, id });
    const args = [CONSUMER, isAlone ? 'alone' : 'together', ...ids];
    const entries = await this.#runHeld(claimScript, [this.#options.stream, state], args);
    if (isAlone && entries.length === 0) this.#triedAlone.delete(state);
    return entries;
  }

  async giveBack(ids: readonly string[], unended: number): Promise<void> {
    await this.#inPortions(giveBackScript, [this.#options.stream], [CONSUMER, unended, LONG_AGO_MS], ids);
  }

  async fail(failed: readonly Failed[]): Promise<void> {
    const words = failed.flatMap(encodeFailed);
    const keys = [this.#options.stream, this.#keys.state];
    const replies = await this.#inPortions(endScript, keys, [CONSUMER], words);
    this.#forgetAlone(idsOf(failed));
    if (replies.includes('full')) await this.#sweep();
  }

  /**
   * Makes room in the state, once a lease: forgets the entries that are no longer pending, because another program
   * acknowledged them or an earlier version left their failures behind.
   */
  async #sweep(): Promise<void> {
    if (this.#hasSwept) return;
    this.#hasSwept = true;
    const { state } = this.#keys;
    let cursor = '0';
    do {
      const args: string[] = ['HSCAN', state, cursor, 'COUNT', String(MAX_WORDS / 2)];
      const [next, pairs]: [string, string[]] = await this.#redis.send({
        key: state,
        args,
        decode: (reply) => reply as [string, string[]],
      });
      const fields = pairs.filter((name, at) => at % 2 === 0 && OF_ENTRY.test(name));
      await this.#inPortions(sweepScript, [this.#options.stream, state], [], fields);
      cursor = next;
    } while (cursor !== '0');
  }

  async bury(burials: readonly Burial[]): Promise<(Buried | ConnectorError)[]> {
    const { deadLetterStream, stream, keyFields } = this.#options;
    const { state, superseded } = this.#keys;
    const words = burials.flatMap(({ letter, key }) => [hashOfKey(key), ...encodeLetter(letter)]);
    this.#hasLetters = true;
    const keys = [stream, deadLetterStream, state, superseded];
    const outcomes = await this.#runHeld(buryScript, keys, [JSON.stringify(keyFields), ...words]);
    this.#forgetAlone(burials.flatMap(({ letter }, at) => (typeof outcomes[at] === 'string' ? letter.sourceId : [])));
    return outcomes;
  }

  async setLevel(level: number): Promise<void> {
    const { lease, state } = this.#keys;
    await held(levelScript.run(this.#redis, [lease, state], [this.#token, level]));
  }

  trim(): Promise<number> {
    return trimStream(this.#redis, this.#options.stream);
  }

  #inPortions<T>(script: Script<T>, keys: string[], args: (string | number)[], words: readonly string[]): Promise<T[]> {
    return Promise.all(portions(words).map((portion) => this.#runHeld(script, keys, [...args, ...portion])));
  }

  /** Runs a script that begins with the lease and its token, and the group. */
  #runHeld<T>(script: Script<T>, keys: string[], args: (string | number)[]): Promise<T> {
    const { group } = this.#options;
    return held(script.run(this.#redis, [this.#keys.lease, ...keys], [this.#token, group, ...args]));
  }
}

/** A field of the state that is about an entry. */
const OF_ENTRY = /^[ec]:\d+-\d+$/;

/** Maximum words per script, one or two per entry, because a script blocks the server. */
const MAX_WORDS = 1000;

/** Awaits a script that needs the lease. */
async function held<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    if ((error as ConnectorError).upstreamCode === 'LEASELOST') throw new LeaseLost();
    throw error;
  }
}

/** Splits words into portions for a script. */
function portions(words: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(words.length / MAX_WORDS) }, (_, at) => {
    return words.slice(at * MAX_WORDS, (at + 1) * MAX_WORDS);
  });
}

/** Reads a row of pending entries. */
function decodeRow([id, idleMs, deliveries, failures, crashes, bytes, ...values]: (string | null)[]): PendingRow {
  const [own = 0, outages = 0, dueAt = 0] = failures?.split(',').map(numberOf) ?? [];
  return {
    id: id!,
    key: bytes === undefined ? undefined : joinKey(values),
    bytes: numberOf(bytes),
    idleMs: numberOf(idleMs),
    unended: numberOf(deliveries),
    ...{ own, outages, dueAt, crashes: numberOf(crashes) },
  };
}

/** A number of the server; 0 if it is missing, for example because the state was lost. */
function numberOf(text: string | null | undefined): number {
  const value = Number(text);
  return Number.isFinite(value) ? value : 0;
}
