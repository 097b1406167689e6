import { setTimeout as sleep } from 'node:timers/promises';
import { deadLetterStreamOf } from '../../lib/consumer/names.ts';
import { openRedis } from '../support/consumer-fixture.ts';
import { startLambda, type InvocationFailure, type Lambda } from '../../scripts/sandbox/lambda.ts';
import { startSecretsManager, type SecretsManager } from '../../scripts/sandbox/secrets-manager.ts';
import { Ledger, type Snapshot } from './ledger.ts';
import { startLedgerMdm, type LedgerMdm } from './ledger-mdm.ts';
import type { Random } from './random.ts';

export const STREAM = 'chaos:0';
export const GROUP = 'mdm';
const DEAD = deadLetterStreamOf(STREAM, GROUP);
const INVOCATION_MS = 5000;
/** Of so many entries one is broken. */
const BROKEN_EVERY = 97;

const SNAPSHOT = `
local groups = redis.pcall('XINFO', 'GROUPS', KEYS[1])
local lastDelivered = '0-0'
local pending = {}
if not groups.err and groups[1] then
  for at = 1, #groups[1], 2 do if groups[1][at] == 'last-delivered-id' then lastDelivered = groups[1][at + 1] end end
  for _, row in ipairs(redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1000000)) do pending[#pending + 1] = row[1] end
end
local dead = {}
for _, letter in ipairs(redis.call('XRANGE', KEYS[2], '-', '+')) do
  for at = 1, #letter[2], 2 do if letter[2][at] == 'dl-source-id' then dead[#dead + 1] = letter[2][at + 1] end end
end
return {lastDelivered, pending, dead}`;

export interface WorldOptions {
  random: Random;
  entries: number;
  keys: number;
  /** How the functions reach Redis. */
  redisSecret: object;
  /** Where the harness reaches it, past any proxy. */
  port: () => number;
  /** Parameters of the consumer, where they differ. */
  consumer?: object;
  /** Containers that run it. */
  workers?: number;
  /** Mean time that the MDM takes for a record. */
  latencyMs?: number;
  /** Keys that stand first in the stream, and are called `bad-<n>`. */
  badKeys?: number;
  /** One key that has so many entries, first in the stream. */
  hotEntries?: number;
  /** Time of an invocation. */
  invocationMs?: number;
}

/** Everything a scenario plays with: a stream full of entries, the MDM with its ledger, and containers at work. */
export class World {
  readonly random: Random;
  readonly ledger: Ledger;
  readonly mdm: LedgerMdm;
  readonly #options: WorldOptions;
  readonly #secrets: SecretsManager;
  readonly workers: (Lambda | undefined)[] = [];
  readonly #loops: Promise<void>[] = [];
  readonly stops: Record<string, number> = {};
  kills = 0;
  /** Invocations so far that found a lease to take. */
  runs = 0;
  isOver = false;

  private constructor(options: WorldOptions, ledger: Ledger, mdm: LedgerMdm, secrets: SecretsManager) {
    this.random = options.random;
    this.#options = options;
    this.ledger = ledger;
    this.mdm = mdm;
    this.#secrets = secrets;
  }

  static async open(options: WorldOptions): Promise<World> {
    const ledger = new Ledger();
    const { random, latencyMs = 8, redisSecret } = options;
    const mdm = await startLedgerMdm(ledger, random, () => random.between(0, 2 * latencyMs));
    const auth = { type: 'session', sessionId: 'chaos' };
    const secrets = await startSecretsManager({
      'chaos/default': { redis: redisSecret, mdm: { auth, baseUrl: mdm.url, timeoutMs: 1000 } },
    });
    const world = new World(options, ledger, mdm, secrets);
    await world.#fill();
    return world;
  }

  async send<T>(...args: string[]): Promise<T> {
    const redis = openRedis(this.#options.port(), 10_000);
    try {
      return await redis.send({ key: STREAM, args, decode: (reply) => reply as T });
    } finally {
      redis.end();
    }
  }

  /** Sets the containers to work; they are replaced when they die. */
  start(): void {
    for (let at = 0; at < (this.#options.workers ?? 1); at++) this.#loops.push(this.#work(at));
  }

  /** Ends a container without a word. What it had acknowledged must be in the ledger. */
  async kill(at: number): Promise<void> {
    this.workers[at]?.kill('SIGKILL');
    this.workers[at] = undefined;
    this.kills++;
    this.ledger.checkAcknowledged(await this.snapshot());
  }

  async snapshot(): Promise<Snapshot> {
    const reply = await this.send<[string, string[], string[]]>('EVAL', SNAPSHOT, '2', STREAM, DEAD, GROUP);
    const [lastDeliveredId, pending, deadLetters] = reply;
    return { lastDeliveredId, pending, deadLetters };
  }

  /** Waits until the target has taken so much more. */
  async moreTaken(count: number): Promise<void> {
    const from = this.ledger.taken;
    while (this.ledger.taken < from + count && this.ledger.progress < 1) await sleep(5);
  }

  /** Waits until the target has all entries but those of keys that match. Returns how long that took, in ms. */
  async othersTaken(isMeant: RegExp): Promise<number> {
    const startedAt = performance.now();
    const others = this.ledger.expected.filter(({ key, isBroken }) => !isBroken && !isMeant.test(key));
    while (!others.every(({ key, seq }) => this.ledger.hasTaken(key, seq))) await sleep(50);
    return performance.now() - startedAt;
  }

  /** Waits until the group has nothing left to do. */
  async drained(timeoutMs: number): Promise<void> {
    const until = Date.now() + timeoutMs;
    while (Date.now() < until) {
      const { lastDeliveredId, pending } = await this.snapshot();
      const [last] = await this.send<[string][]>('XREVRANGE', STREAM, '+', '-', 'COUNT', '1');
      if (pending.length === 0 && (!last || last[0] === lastDeliveredId)) return;
      await sleep(100);
    }
    this.ledger.faults.push(`not drained within ${timeoutMs} ms`);
  }

  async close(): Promise<void> {
    this.isOver = true;
    for (const worker of this.workers) worker?.kill('SIGKILL');
    await Promise.all(this.#loops);
    await Promise.all([this.mdm.close(), this.#secrets.close()]);
  }

  async #fill(): Promise<void> {
    const { entries, keys, random, port } = this.#options;
    const redis = openRedis(port(), 30_000);
    const seqOf = new Map<string, number>();
    for (let from = 0; from < entries; from += 1000) {
      const batch = Array.from({ length: Math.min(1000, entries - from) }, async (_, at) => {
        const key = this.#keyOf(from + at) ?? `key-${random.between(1, keys)}`;
        const seq = (seqOf.get(key) ?? 0) + 1;
        seqOf.set(key, seq);
        const isBroken = (from + at) % BROKEN_EVERY === BROKEN_EVERY - 1;
        const fields = ['businessEntity', 'c360.city', 'sourceSystem', 'chaos', 'sourcePKey', key];
        const record = isBroken ? brokenRecord(random, seq) : ['record', JSON.stringify({ seq })];
        const args = ['XADD', STREAM, '*', ...fields, ...record];
        return { id: await redis.send({ key: STREAM, args, decode: String }), key, seq, isBroken };
      });
      for (const entry of await Promise.all(batch)) this.ledger.expect(entry);
    }
    await redis.send({ key: STREAM, args: ['XGROUP', 'CREATE', STREAM, GROUP, '0'], decode: String });
    redis.end();
  }

  #keyOf(place: number): string | undefined {
    const { badKeys = 0, hotEntries = 0 } = this.#options;
    if (place < badKeys) return `bad-${place}`;
    return place < badKeys + hotEntries ? 'hot' : undefined;
  }

  async #work(at: number): Promise<void> {
    const env = { CONNECTOR_SECRET_PREFIX: 'chaos/', AWS_ENDPOINT_URL_SECRETS_MANAGER: this.#secrets.url };
    while (!this.isOver) {
      const lambda = await startLambda({ env: { ...env, LOG_LEVEL: 'error' } });
      this.workers[at] = lambda;
      while (this.workers[at] === lambda && !this.isOver && (await this.#invoke(lambda)));
      lambda.kill('SIGKILL');
    }
  }

  /** Returns whether the container is still there. */
  async #invoke(lambda: Lambda): Promise<boolean> {
    const common = { stream: STREAM, group: GROUP, concurrency: 20, backoffMs: 50, leaseMs: 1000, maxDeliveries: 1000 };
    try {
      const parameters = { ...common, ...this.#options.consumer };
      const { stoppedBecause } = await lambda.invoke<{ stoppedBecause: string }>('stream-consumer', parameters, {
        timeoutMs: this.#options.invocationMs ?? INVOCATION_MS,
      });
      if (stoppedBecause !== 'lease-held') this.runs++;
      this.#count(stoppedBecause);
      await sleep(30); // a schedule would be slower
    } catch (error) {
      const { errorType, errorMessage } = error as InvocationFailure;
      if (errorType === 'Runtime.ExitError') return false;
      this.#count(`${errorType} ${errorMessage}`);
      await sleep(100);
    }
    return true;
  }

  #count(what: string): void {
    this.stops[what] = (this.stops[what] ?? 0) + 1;
  }
}

/** No record, none that is JSON, or one that the MDM refuses. */
function brokenRecord(random: Random, seq: number): string[] {
  const kinds = [['note', 'no record'], ['record', '{"seq":'], ['record', JSON.stringify({ seq, broken: true })]]; // prettier-ignore
  return kinds[random.between(0, 2)]!;
}
