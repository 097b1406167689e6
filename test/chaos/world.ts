import { setTimeout as sleep } from 'node:timers/promises';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { startLambda } from '#sandbox/aws/lambda.ts';
import { startLambdaEndpoint, type LambdaEndpoint } from '#sandbox/aws/lambda-endpoint.ts';
import { startSecretsManager, type SecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { openRedis } from '../support/consumer/consumer-fixture.ts';
import { Containers } from './containers.ts';
import { fill, GROUP, KEY, STREAM, type EntryOptions } from './entries.ts';
import { startLedgerMdm, USER, type LedgerMdm } from './ledger-mdm.ts';
import { Ledger, type Snapshot } from './ledger.ts';

const CONSUMER = 'chaos-stream-consumer';

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
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
return {lastDelivered, pending, dead, last and last[1] or lastDelivered}`;

export interface WorldOptions extends EntryOptions {
  /** How the functions reach Redis. */
  redisSecret: object;
  /** Where the harness reaches it, past any proxy. */
  port: () => number;
  /** How it logs in there, `:password@`. Default: not at all. */
  login?: string;
  /** Parameters of the consumer, where they differ. */
  consumer?: object;
  /** Containers that run it one invocation after the other; none: only a wake invokes it. Default 1. */
  workers?: number;
  /** Mean time that the MDM takes for a record. Default 8 ms. */
  latencyMs?: number;
  /** When the connector gives up a call to the MDM. Default 1 s. */
  timeoutMs?: number;
  /** Time of an invocation. Default 5 s. */
  invocationMs?: number;
}

/** Everything a scenario plays with: streams full of entries, the MDM with its ledger, and containers at work. */
export class World {
  readonly options: WorldOptions;
  readonly ledger: Ledger;
  readonly mdm: LedgerMdm;
  readonly containers: Containers;
  readonly #secrets: SecretsManager;
  readonly #endpoint: LambdaEndpoint;
  readonly #env: Record<string, string>;
  #endsAt = Infinity;

  private constructor(
    options: WorldOptions,
    ledger: Ledger,
    mdm: LedgerMdm,
    secrets: SecretsManager,
    endpoint: LambdaEndpoint,
  ) {
    this.options = options;
    [this.ledger, this.mdm, this.#secrets, this.#endpoint] = [ledger, mdm, secrets, endpoint];
    this.#env = {
      ...{ CONNECTOR_SECRET_PREFIX: 'chaos/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url },
      ...{ AWS_ENDPOINT_URL_LAMBDA: endpoint.url, CONNECTOR_CONSUMER_FUNCTION: CONSUMER },
    };
    this.containers = new Containers({ env: this.#env, parameters: {}, invocationMs: options.invocationMs ?? 5000 });
    endpoint.respond = (payload) => {
      void this.containers.invoke(payload);
      return {};
    };
    this.setPassword(USER.password);
  }

  static async open(options: WorldOptions): Promise<World> {
    const ledger = new Ledger();
    const { random, latencyMs = 8, port, login } = options;
    const mdm = await startLedgerMdm(ledger, random, () => random.between(0, 2 * latencyMs));
    const [secrets, endpoint] = await Promise.all([startSecretsManager(), startLambdaEndpoint()]);
    await fill(openRedis(port(), 30_000, login), ledger, options);
    return new World(options, ledger, mdm, secrets, endpoint);
  }

  get random() {
    return this.options.random;
  }

  /** What the secret holds; the MDM's own password is another matter. */
  setPassword(password: string): void {
    const { shards, consumer, redisSecret, timeoutMs = 1000, workers = 1 } = this.options;
    const settings = { concurrency: 20, backoffMs: 50, leaseMs: 1000, maxDeliveries: 1000, ...consumer };
    const auth = { type: 'login-v3', loginUrl: this.mdm.url, ...USER, password };
    this.#secrets.set('chaos/default', {
      redis: redisSecret,
      mdm: { auth, baseUrl: this.mdm.url, timeoutMs },
      ingest: { stream: STREAM, shards, group: GROUP, wake: workers === 0, consumer: settings },
    });
  }

  async send<T>(...args: string[]): Promise<T> {
    const redis = this.#openRedis();
    try {
      return await redis.send({ key: args[1] ?? '', args, decode: (reply) => reply as T });
    } finally {
      redis.end();
    }
  }

  #openRedis() {
    return openRedis(this.options.port(), 10_000, this.options.login);
  }

  /** Sets the containers to work. After so many seconds nothing is waited for any more. */
  start(seconds: number): void {
    this.#endsAt = performance.now() + seconds * 1000;
    this.containers.keep(this.options.workers ?? 1);
  }

  get isLate(): boolean {
    return performance.now() > this.#endsAt;
  }

  /** Ends a container without a word. What it had acknowledged must be in the ledger. */
  async kill(): Promise<void> {
    const { busy } = this.containers;
    if (busy.length === 0) return;
    this.containers.kill(busy[this.random.between(0, busy.length - 1)]);
    this.ledger.checkAcknowledged(await this.snapshots());
  }

  async snapshots(): Promise<(Snapshot & { lastId: string })[]> {
    const shards = Array.from({ length: this.options.shards }, async (_, shard) => {
      const stream = `${STREAM}:${shard}`;
      const keys = [stream, deadLetterStreamOf(stream, GROUP)];
      const redis = this.#openRedis();
      const args = ['EVAL', SNAPSHOT, '2', ...keys, GROUP];
      const [lastDeliveredId, pending, deadLetters, lastId] = await redis
        .send({ key: stream, args, decode: (reply) => reply as [string, string[], string[], string] })
        .finally(() => redis.end());
      return { stream, lastDeliveredId, pending, deadLetters, lastId };
    });
    return Promise.all(shards);
  }

  /** A producer in a container of its own: returns when the call began. */
  async producer(): Promise<{ enqueue(key: string, seq: number): Promise<number>; stop(): Promise<void> }> {
    const lambda = await startLambda({ env: this.#env });
    return {
      enqueue: async (sourcePKey, seq) => {
        const startedAt = performance.now();
        const added = await lambda.invoke<{ stream: string; id: string }>('mdm-source-enqueue', { ...KEY, sourcePKey, record: { seq } }); // prettier-ignore
        this.ledger.expect({ ...added, key: sourcePKey, seq, isBroken: false });
        return startedAt;
      },
      stop: () => lambda.stop(),
    };
  }

  /** Waits until the target has taken so much more. */
  async moreTaken(count: number): Promise<void> {
    const from = this.ledger.taken;
    while (this.ledger.taken < from + count && this.ledger.progress < 1 && !this.isLate) await sleep(5);
  }

  /** Waits until the target has all entries but those of keys that match. Returns how long that took, in ms. */
  async othersTaken(isMeant: RegExp): Promise<number> {
    const startedAt = performance.now();
    let left = this.ledger.expected.filter(({ key, isBroken }) => !isBroken && !isMeant.test(key));
    while (left.length > 0 && !this.isLate) {
      await sleep(50);
      left = left.filter(({ key, seq }) => !this.ledger.hasTaken(key, seq));
    }
    return performance.now() - startedAt;
  }

  /** Waits until the groups have nothing left to do. */
  async drained(): Promise<void> {
    while (!this.isLate) {
      const shards = await this.snapshots();
      if (shards.every(({ pending, lastId, lastDeliveredId }) => pending.length === 0 && lastId === lastDeliveredId)) {
        return;
      }
      await sleep(100);
    }
    this.ledger.faults.push('not drained in time');
  }

  async close(): Promise<void> {
    await this.containers.close();
    await Promise.all([this.mdm.close(), this.#secrets.close(), this.#endpoint.close()]);
  }
}
