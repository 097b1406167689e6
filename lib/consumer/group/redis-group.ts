import { randomUUID } from 'node:crypto';
import type { ConnectorError } from '../../core/errors.ts';
import type { Redis, Reply } from '../../redis/redis.ts';
import { Stopwatch } from '../../core/stopwatch.ts';
import { scanHash } from '../../redis/scan-hash.ts';
import { xackCommand } from '../../stream/commands/xack.ts';
import { xgroupCreateCommand } from '../../stream/commands/xgroup-create.ts';
import { decodeEntries, type Entry, hashOfKey, idsOf, joinKey } from '../entry.ts';
import { DEAD_LETTER_FIELDS, encodeDeadLetter } from '../dead-letters/letter.ts';
import {
  type Acquired,
  type Asker,
  type Burial,
  type Buried,
  type FailureState,
  type Group,
  LeaseLost,
  type LeavingEntry,
  type ShardStatus,
  type PendingPage,
  type PendingRow,
  type Released,
  type Renewed,
} from './group.ts';
import {
  acquireScript,
  askScript,
  statusScript,
  releaseScript,
  renewScript,
  restScript,
  withdrawScript,
} from './lease-scripts.ts';
import {
  askedKeyOf,
  fenceKeyOf,
  leaseKeyOf,
  pauseKeyOf,
  restKeyOf,
  stateKeyOf,
  supersededKeyOf,
  wakeKeyOf,
} from '../redis-keys.ts';
import type { Script } from '../../redis/script.ts';
import {
  ackNotedScript,
  buryScript,
  claimScript,
  endScript,
  forgetScript,
  giveBackScript,
  levelScript,
  listPendingScript,
  restoreScript,
  survivedScript,
  sweepScript,
  trimScript,
} from './entry-scripts.ts';
import { isHeldByFormer } from './former-keys.ts';
import { encodeFailed } from './last-failure.ts';

/** One consumer name for all runs: a name per run would leak consumers. */
const CONSUMER = 'stream-consumer';
/** How long a run waits for a shard that it asked for, in milliseconds, unless it asks again. */
const ASKED_MS = 2000;
/** Idle time of an entry that is given back, so that no back-off delays it in the next run. */
const LONG_AGO_MS = 86_400_000;
/** How long a shard is trimmed before it is given back, in milliseconds. The next run goes on. */
const MOST_TRIM_MS = 250;

/**
 * Entries in isolated attempts of this process, by the key of their group's state, until Redis knows the result. An
 * entry that is still here when its run ends did not crash the run, which only lost its connection to Redis.
 */
const isolatedHere: IsolatedEntries = new Map();
export type IsolatedEntries = Map<string, IsolatedEntry>;

interface IsolatedEntry {
  /** The token of its run's lease. */
  readonly token: string;
  readonly id: string;
}

export interface GroupOptions {
  stream: string;
  group: string;
  /** The run's name, without spaces and dots: the same for all its shards. Default: a random one. */
  run?: string;
  /** Life of the lease after its last renewal, in milliseconds. */
  leaseMs: number;
  /** Start of a new group. */
  startId: string;
  /** In the slot of the stream. */
  deadLetterStream: string;
  /** The fields that make the ordering key. */
  keyFields: readonly string[];
  /** Default: false. */
  isOnCluster?: boolean;
  /** Default: those of the process. Each configuration has its own, and so has each process of a test. */
  isolatedEntries?: IsolatedEntries;
}

/** A consumer group on a real Redis. */
export class RedisGroup implements Group {
  readonly isOnCluster: boolean;
  readonly #redis: Redis;
  readonly #options: GroupOptions;
  readonly #isolatedEntries: IsolatedEntries;
  readonly #run: string;
  #token = '';
  readonly #keys: Record<'lease' | 'asked' | 'fence' | 'rest' | 'pause' | 'wake' | 'state' | 'superseded', string>;
  /** Whether any key of the group has a dead letter, so that acknowledgements may need notes. */
  #hasLetters = false;
  /** Whether room was made in the state since the lease was acquired. */
  #hasSwept = false;

  constructor(redis: Redis, options: GroupOptions) {
    const { stream, group } = options;
    this.#redis = redis;
    this.#options = options;
    this.#isolatedEntries = options.isolatedEntries ?? isolatedHere;
    this.#run = options.run ?? randomUUID();
    this.isOnCluster = options.isOnCluster ?? false;
    this.#keys = {
      lease: leaseKeyOf(stream, group),
      asked: askedKeyOf(stream, group),
      fence: fenceKeyOf(stream, group, this.#token),
      rest: restKeyOf(stream, group),
      pause: pauseKeyOf(stream, group),
      wake: wakeKeyOf(stream, group),
      state: stateKeyOf(stream, group),
      superseded: supersededKeyOf(stream, group),
    };
  }

  async readStatus(): Promise<ShardStatus> {
    if (this.#token === '') await this.#clearMark(); // of an earlier run, whoever works on the shard now
    const { stream, group, deadLetterStream } = this.#options;
    const { lease, rest, pause, asked, superseded } = this.#keys;
    const keys = [stream, lease, rest, pause, deadLetterStream, asked, superseded];
    const reply = await statusScript.run(this.#redis, keys, [group]);
    const [state, pending, lag, oldestId, unreadId, length, deadLetters, notes, token, asker] = reply;
    return {
      state: state as ShardStatus['state'],
      pending: Number(pending),
      lag: lag === null ? null : Number(lag),
      oldestId,
      unreadId,
      length: Number(length),
      deadLetters: Number(deadLetters),
      notes: Number(notes),
      holder: token === null ? undefined : runOf(token),
      asker: this.#otherAsker(asker),
    };
  }

  async acquire(): Promise<Acquired> {
    const { stream, group, leaseMs, startId } = this.#options;
    if (await isHeldByFormer(this.#redis, stream, group)) return HELD_BY_FORMER;
    await this.#clearMark(); // before another crash could be counted
    this.#hasSwept = false;
    this.#token = `${this.#run}.${randomUUID()}`; // a new token, so that late commands of an earlier lease do not count
    this.#keys.fence = fenceKeyOf(stream, group, this.#token);
    const { lease, fence, rest, pause, wake, state, superseded, asked } = this.#keys;
    const keys = [lease, fence, rest, pause, wake, state, superseded, stream, asked];
    const reply = await acquireScript.run(this.#redis, keys, [this.#token, leaseMs, group, startId, this.#run]);
    const [result, level, hasLetters, hasGroup, count, bytes] = reply;
    this.#hasLetters = hasLetters === '1';
    return {
      result: result as Acquired['result'],
      level: numberOf(level),
      hasGroup: hasGroup === '1',
      firstRead: { count: numberOf(count), bytes: numberOf(bytes) },
    };
  }

  async renew(): Promise<Renewed> {
    const { lease, fence, pause, asked } = this.#keys;
    const args = [this.#token, this.#options.leaseMs];
    const [result, asker] = await renewScript.run(this.#redis, [lease, fence, pause, asked], args);
    return { result: result as Renewed['result'], asker: this.#otherAsker(asker) };
  }

  async ask(share: number): Promise<void> {
    const { lease, asked } = this.#keys;
    await askScript.run(this.#redis, [lease, asked], [this.#run, `${this.#run} ${share}`, ASKED_MS]);
  }

  async withdraw(): Promise<void> {
    await withdrawScript.run(this.#redis, [this.#keys.asked], [this.#run]);
  }

  async release({ isDrained, restMs }: { isDrained: boolean; restMs: number }): Promise<Released> {
    const { stream, group } = this.#options;
    const { lease, fence, rest } = this.#keys;
    const args = [this.#token, Math.ceil(restMs), group, isDrained ? 'drained' : 'ended'];
    return (await releaseScript.run(this.#redis, [lease, fence, rest, stream], args)) as Released;
  }

  async startRest(ms: number): Promise<void> {
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
  async ack(items: readonly LeavingEntry[]): Promise<void> {
    const { stream, group } = this.#options;
    const { state, superseded, lease } = this.#keys;
    const sent: Promise<unknown>[] = [];
    if (this.#hasLetters) {
      const noted = items.flatMap(({ id, keyQueue }) => [id, hashOfKey(keyQueue.key)]);
      for (const words of portions(noted))
        sent.push(ackNotedScript.run(this.#redis, [stream, superseded], [group, ...words]));
    } else {
      sent.push(this.#redis.send(xackCommand(stream, group, idsOf(items))));
    }
    const forgotten = items.filter(({ hasState }) => hasState).flatMap(({ id }) => [`e:${id}`, `c:${id}`]);
    const args = ['HDEL', state, 'alone', 'alone-by', ...forgotten];
    if (forgotten.length > 0) sent.push(this.#redis.send({ key: state, args, decode: String }));
    const holding = this.#redis.send({ key: lease, args: ['GET', lease], decode: (reply) => reply });
    const [holder] = await Promise.all([holding, ...sent]);
    this.#forgetIsolated(idsOf(items));
    if (holder !== this.#token) throw new LeaseLost();
  }

  async restore(ids: readonly string[]): Promise<void> {
    await this.#inPortions(restoreScript, [this.#options.stream], [CONSUMER], ids);
  }

  async forgetDeleted(ids: readonly string[]): Promise<number> {
    const counts = await this.#inPortions(forgetScript, [this.#options.stream, this.#keys.state], [], ids);
    this.#forgetIsolated(ids);
    return counts.reduce((sum, deleted) => sum + deleted, 0);
  }

  survived(id: string): Promise<void> {
    return this.#removeMark({ token: this.#token, id });
  }

  /** Removes the mark that an isolated attempt of an earlier run of this process left in Redis. */
  async #clearMark(): Promise<void> {
    const mark = this.#isolatedEntries.get(this.#keys.state);
    if (mark) await this.#removeMark(mark);
  }

  async #removeMark(mark: IsolatedEntry): Promise<void> {
    const { state } = this.#keys;
    this.#forgetIsolated([mark.id]); // at once, because a second removal would take back another crash
    try {
      await survivedScript.run(this.#redis, [state], [mark.token, mark.id]);
    } catch (error) {
      this.#isolatedEntries.set(state, mark);
      throw error;
    }
  }

  /** Redis knows the results of these entries. */
  #forgetIsolated(ids: readonly string[]): void {
    const mark = this.#isolatedEntries.get(this.#keys.state);
    if (mark && ids.includes(mark.id)) this.#isolatedEntries.delete(this.#keys.state);
  }

  async listPending(after: string, count: number, bytes: number): Promise<PendingPage> {
    const { stream, group, keyFields } = this.#options;
    const args = [group, after, count, bytes, ...keyFields];
    const [isLast, rows] = await listPendingScript.run(this.#redis, [stream, this.#keys.state], args);
    return { rows: rows.map(decodeRow), isLast: isLast === '1' };
  }

  async claim(ids: readonly string[], { isIsolated } = { isIsolated: false }): Promise<Entry[]> {
    const { state } = this.#keys;
    const [id] = ids;
    if (isIsolated && id !== undefined) this.#isolatedEntries.set(state, { token: this.#token, id });
    const args = [CONSUMER, isIsolated ? 'isolated' : 'together', ...ids];
    const entries = await this.#runWithLease(claimScript, [this.#options.stream, state], args);
    if (isIsolated && entries.length === 0) this.#isolatedEntries.delete(state);
    return entries;
  }

  async giveBack(ids: readonly string[], unconfirmedDeliveries: number): Promise<string[]> {
    const args = [CONSUMER, unconfirmedDeliveries, LONG_AGO_MS];
    return (await this.#inPortions(giveBackScript, [this.#options.stream], args, ids)).flat();
  }

  async fail(failed: readonly FailureState[]): Promise<string[]> {
    const words = failed.flatMap(encodeFailed);
    const keys = [this.#options.stream, this.#keys.state];
    const replies = await this.#inPortions(endScript, keys, [CONSUMER], words);
    this.#forgetIsolated(idsOf(failed));
    if (replies.some(([room]) => room === 'full')) await this.#sweep();
    return replies.flatMap(([, missing]) => missing);
  }

  /**
   * Makes room in the state, once a lease: forgets the entries that are no longer pending, because another program
   * acknowledged them or an earlier version left their failures behind.
   */
  async #sweep(): Promise<void> {
    if (this.#hasSwept) return;
    this.#hasSwept = true;
    const { state } = this.#keys;
    for await (const pairs of scanHash(this.#redis, state, MAX_WORDS / 2)) {
      const fields = pairs.filter((name, index) => index % 2 === 0 && ENTRY_FIELD.test(name));
      await this.#inPortions(sweepScript, [this.#options.stream, state], [], fields);
    }
  }

  async bury(burials: readonly Burial[]): Promise<(Buried | ConnectorError)[]> {
    const { deadLetterStream, stream, group, keyFields } = this.#options;
    const { state, superseded } = this.#keys;
    const words = burials.flatMap(({ letter, key }) => [
      hashOfKey(key),
      letter.sourceId,
      ...encodeDeadLetter({ stream, group }, letter),
    ]);
    const names = [DEAD_LETTER_FIELDS.length, ...DEAD_LETTER_FIELDS];
    this.#hasLetters = true;
    const keys = [stream, deadLetterStream, state, superseded];
    const results = await this.#runWithLease(buryScript, keys, [JSON.stringify(keyFields), ...names, ...words]);
    this.#forgetIsolated(
      burials.flatMap(({ letter }, index) => (typeof results[index] === 'string' ? letter.sourceId : [])),
    );
    return results;
  }

  async setLevel(level: number): Promise<void> {
    const { lease, state } = this.#keys;
    await withLease(levelScript.run(this.#redis, [lease, state], [this.#token, level]));
  }

  async trim(): Promise<number> {
    const { stream, group } = this.#options;
    const age = new Stopwatch();
    for (let total = 0; ;) {
      const [isLast, deleted] = await trimScript.run(this.#redis, [stream], [group]);
      total += deleted;
      if (isLast || age.elapsedMs() >= MOST_TRIM_MS) return total;
    }
  }

  /** Who asks for the shard, unless it is this run. */
  #otherAsker(asked: string | null | undefined): Asker | undefined {
    const [run, share] = asked?.split(' ') ?? [];
    return run === undefined || run === this.#run ? undefined : { run, share: numberOf(share) };
  }

  #inPortions<T>(script: Script<T>, keys: string[], args: (string | number)[], words: readonly string[]): Promise<T[]> {
    return Promise.all(portions(words).map((portion) => this.#runWithLease(script, keys, [...args, ...portion])));
  }

  /** Runs a script that begins with the lease and its token, and the group. */
  #runWithLease<T>(script: Script<T>, keys: string[], args: (string | number)[]): Promise<T> {
    const { group } = this.#options;
    return withLease(script.run(this.#redis, [this.#keys.lease, ...keys], [this.#token, group, ...args]));
  }
}

const HELD_BY_FORMER: Acquired = { result: 'held', level: 0, hasGroup: true, firstRead: { count: 0, bytes: 0 } };

/** A field of the state that is about an entry. */
const ENTRY_FIELD = /^[ec]:\d+-\d+$/;

/** Maximum words per script, one or two per entry, because a script blocks the server. */
const MAX_WORDS = 1000;

/** The run in a lease's token; runs of version 1.0 put none there. */
const runOf = (token: string): string => (token.includes('.') ? token.slice(0, token.indexOf('.')) : '');

/** Awaits a script that needs the lease. */
async function withLease<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    if ((error as ConnectorError).upstreamCode === 'LEASELOST') throw new LeaseLost();
    throw error;
  }
}

/** Splits words into portions for a script. */
function portions(words: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(words.length / MAX_WORDS) }, (_, index) => {
    return words.slice(index * MAX_WORDS, (index + 1) * MAX_WORDS);
  });
}

/** Reads a row of pending entries. */
function decodeRow([id, idleMs, deliveries, failures, crashes, bytes, ...values]: (string | null)[]): PendingRow {
  const [entryFailures = 0, targetFailures = 0, dueAt = 0] = failures?.split(',').map(numberOf) ?? [];
  return {
    id: id!,
    key: bytes === undefined ? undefined : joinKey(values),
    bytes: numberOf(bytes),
    idleMs: numberOf(idleMs),
    unconfirmedDeliveries: numberOf(deliveries),
    entryFailures,
    targetFailures,
    dueAt,
    crashes: numberOf(crashes),
  };
}

/** A number of the server; 0 if it is missing, for example because the state was lost. */
function numberOf(text: string | null | undefined): number {
  const value = Number(text);
  return Number.isFinite(value) ? value : 0;
}
