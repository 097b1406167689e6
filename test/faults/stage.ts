import { setTimeout as sleep } from 'node:timers/promises';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { startLambda, type InvocationFailure, type Lambda } from '#sandbox/aws/lambda.ts';
import { startSecretsManager, type SecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { startTopic, type Topic } from '#test/support/aws/topic.ts';
import { draftsOf, GROUP, KIND, STREAM, streamOf, streamsOf, type Draft } from './entries.ts';
import { Ledger, type Allowance, type Snapshot } from './ledger.ts';
import { Runs } from './runs.ts';
import { startServers, type Servers } from './servers.ts';
import { startTarget, USER, type FaultyTarget } from './target.ts';
import { slownessOf, type World } from './world.ts';

const CONSUMER = 'faults-stream-consumer';
/** When the connector abandons a call to the MDM. */
const MDM_TIMEOUT_MS = 1000;
const SECRET_TTL_MS = 500;
/** Without a key, each container derives one from the password, which takes a quarter of a second of a whole core. */
const SHARED_SESSION = { sessionStore: 'redis', sessionKey: 'faults-'.repeat(5) };
/** Producers do not wait forever for a consumer to drain. */
const DRAIN_TRIES = 80;

const FIELDS = `
local function fieldsOf(words)
  local fields = {}
  for at = 1, #words, 2 do fields[words[at]] = words[at + 1] end
  return fields
end
local function numberOf(letter) return letter.n or tostring(cjson.decode(letter.record).n) end`;

/** KEYS stream, its letters; ARGV group. Returns the group's position. */
const SNAPSHOT = `${FIELDS}
local groups = redis.pcall('XINFO', 'GROUPS', KEYS[1])
local last, pending, letters = '0-0', {}, {}
if not groups.err then
  for _, group in ipairs(groups) do
    local info = fieldsOf(group)
    if info.name == ARGV[1] then
      last = info['last-delivered-id']
      for _, row in ipairs(redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1000000)) do pending[#pending + 1] = row[1] end
    end
  end
end
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '-', '+')) do
  local letter = fieldsOf(entry[2])
  if letter['dl-stream'] == KEYS[1] then
    letters[#letters + 1] = {numberOf(letter), letter['dl-source-id'], letter['dl-error-type'], entry[1]}
  end
end
return {last, pending, #redis.call('XRANGE', KEYS[1], '(' .. last, '+'), letters}`;

/** KEYS letters. Deletes them; returns the numbers of their entries. */
const DELETE_LETTERS = `${FIELDS}
local numbers = {}
for at, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do numbers[at] = numberOf(fieldsOf(entry[2])) end
redis.call('DEL', KEYS[1])
return numbers`;

interface StageParts extends Pick<Stage, 'ledger' | 'servers' | 'target' | 'topic'> {
  readonly secrets: SecretsManager;
  readonly bundles?: string | undefined;
}

/** What people change in the secret. */
interface SecretParts {
  readonly password: string;
  /** User and password of Redis. */
  readonly redisLogin: string | undefined;
  readonly shards: number;
  /** In place of what the world's consumer has. */
  readonly consumer: World['consumer'];
}

/** A world that is being played: its servers, its target, its streams and runs, and what people do to them. */
export class Stage {
  readonly world: World;
  readonly group = GROUP;
  readonly ledger: Ledger;
  readonly servers: Servers;
  readonly target: FaultyTarget;
  readonly topic: Topic;
  readonly runs: Runs;
  readonly pauses: { from: number; until: number }[] = [];
  readonly #secrets: SecretsManager;
  readonly #env: Record<string, string>;
  readonly #bundles: string | undefined;
  readonly #drafts: readonly Draft[];
  #changed: World['consumer'] = {};
  #shards: number;
  #mostShards: number;
  /** Whether the producers wait. */
  #isHalted = false;
  #password = USER.password;
  #redisLogin: string | undefined;
  #operator: Promise<Lambda> | undefined;
  #added = 0;
  #last: Promise<unknown> = Promise.resolve();
  #adding: Promise<unknown> = Promise.resolve();

  private constructor(world: World, { ledger, servers, target, topic, secrets, bundles }: StageParts) {
    this.world = world;
    this.ledger = ledger;
    this.servers = servers;
    this.target = target;
    this.topic = topic;
    this.#secrets = secrets;
    this.#bundles = bundles;
    this.#shards = this.#mostShards = world.shards;
    this.#drafts = draftsOf(world);
    this.#env = {
      CONNECTOR_SECRET_PREFIX: 'faults/',
      CONNECTOR_SECRET_TTL_MS: String(SECRET_TTL_MS),
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_ENDPOINT_URL_LAMBDA: target.url,
      CONNECTOR_CONSUMER_FUNCTION: CONSUMER,
      ...(world.hasTopic && { CONNECTOR_DEAD_LETTER_TOPIC: topic.arn, AWS_ENDPOINT_URL_SNS: topic.url }),
      LOG_LEVEL: 'warn',
    };
    const { runs: atOnce, share, invocationMs, clocksAheadMs } = world;
    this.runs = new Runs({ env: this.#env, bundles, atOnce, share, invocationMs, clocksAheadMs });
    this.setSecret({});
  }

  static async open(world: World, allowance: Allowance, bundles?: string): Promise<Stage> {
    const ledger = new Ledger(world, allowance);
    const servers = await startServers(world, allowance.redisFails);
    const secrets = await startSecretsManager();
    const topic = await startTopic();
    const target = await startTarget({ world, ledger, invoked: (payload) => stage.runs.invoke(payload) });
    const stage: Stage = new Stage(world, { ledger, servers, target, topic, secrets, bundles });
    return stage;
  }

  /** Those that the consumer works on. */
  get shards(): string[] {
    return streamsOf(this.#shards);
  }

  /** Former shards too. */
  get streams(): string[] {
    return streamsOf(this.#mostShards);
  }

  send = <T>(key: string, ...args: string[]): Promise<T> => this.servers.send<T>(key, ...args);

  /** What the secret says; the MDM's own password is another matter. */
  setSecret = ({
    password = this.#password,
    redisLogin = this.#redisLogin,
    shards = this.#shards,
    consumer: changed = this.#changed,
  }: Partial<SecretParts>): void => {
    this.#password = password;
    this.#redisLogin = redisLogin;
    this.#shards = shards;
    this.#changed = changed;
    this.#mostShards = Math.max(shards, this.#mostShards);
    const { url } = this.target;
    const { consumer, isWoken, sharesSession, share } = this.world;
    const timeoutMs = Math.round(MDM_TIMEOUT_MS * slownessOf(share));
    const auth = { type: 'login-v3', loginUrl: url, ...USER, password };
    this.#secrets.set('faults/default', {
      redis: this.servers.secretFor(redisLogin),
      mdm: { auth, baseUrl: url, timeoutMs, ...(sharesSession && SHARED_SESSION) },
      ingest: {
        stream: STREAM,
        shards,
        group: GROUP,
        wake: isWoken,
        consumer: { ...consumer, ...changed, target: this.#targetName },
      },
    });
  };

  get #targetName(): string {
    return this.world.target.kind === 'mdm' ? 'source-submit' : 'target';
  }

  /** A run of one shard that an operator invokes, with the settings of the others. */
  runShard(stream: string): void {
    this.runs.invoke({ stream, group: GROUP, target: this.#targetName, ...this.world.consumer });
  }

  /** Calls a packaged function of an operator or a producer, in a container of theirs. */
  async call<T>(name: string, parameters: object): Promise<T> {
    this.#operator ??= startLambda({ env: this.#env, bundles: this.#bundles });
    const operator = await this.#operator;
    for (let tries = 1; ; tries++) {
      try {
        return await operator.invoke<T>(name, parameters, { timeoutMs: 5000 });
      } catch (error) {
        const { errorType, errorMessage } = error as InvocationFailure;
        if (tries === 20) throw new Error(`${name}: ${errorType}: ${errorMessage}`, { cause: error });
        await sleep(250); // people try again
      }
    }
  }

  get leftToAdd(): number {
    return this.#drafts.length - this.#added;
  }

  /** Puts the next entries on their streams. Those of a key follow each other. */
  async add(count: number): Promise<void> {
    if (this.#isHalted) return;
    await (this.#adding = this.#addNext(count));
  }

  async #addNext(count: number): Promise<void> {
    const drafts = this.#drafts.slice(this.#added, this.#added + count);
    this.#added += drafts.length;
    if (this.world.isWoken) {
      await this.#enqueueAll(drafts);
      return;
    }
    const byStream = Map.groupBy(drafts, ({ key }) => streamOf(key, this.#shards));
    const putInTurn = async (ofStream: readonly Draft[]) => {
      for (const draft of ofStream) await this.#put(draft);
    };
    await this.exclusively(() => Promise.all([...byStream.values()].map(putInTurn)));
  }

  /** Runs one after the other: programs that add directly do so only while Redis is up. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Pauses the consumer, and remembers when nothing may begin. */
  async pause(forMs: number, isResumed: boolean): Promise<void> {
    const until = performance.now() + forMs; // before the call, so it cannot be too late
    await this.call('stream-pause', { forMs });
    const pause = { from: performance.now(), until };
    this.pauses.push(pause);
    await sleep(isResumed ? forMs / 2 : forMs);
    if (!isResumed) return;
    pause.until = Math.min(until, performance.now());
    await this.call('stream-pause', { resume: true });
  }

  /** As the guide says: stops the producers, lets the consumer drain, changes the secret, and starts them again. */
  async changeShards(shards: number): Promise<void> {
    this.#isHalted = true;
    await this.#adding;
    const isDrained = async () =>
      (await this.snapshots()).every(({ pending, unread }) => pending.length + unread === 0);
    for (let tries = 0; tries < DRAIN_TRIES; tries++) {
      await sleep(100);
      if (!(await isDrained())) continue;
      this.setSecret({ shards });
      await sleep(2 * SECRET_TTL_MS); // until all functions know it
      break;
    }
    this.#isHalted = false;
  }

  /** What Redis keeps that nothing is left of, once all is done: it would pile up. */
  async leftovers(): Promise<string[]> {
    if (this.world.redis !== 'server') return [];
    const keys = await this.send<string[]>('', 'KEYS', '*');
    const found: string[] = [];
    for (const key of keys) {
      if (!/:(lease|fence|wake|rest|pause|rate|state):/.test(key)) continue;
      if (Number(await this.send(key, 'PTTL', key)) === -1) found.push(`${key} never expires`);
      if (!/:state:/.test(key)) continue;
      const fields = await this.send<string[]>(key, 'HKEYS', key);
      found.push(...fields.filter((field) => /^[ec]:/.test(field)).map((field) => `${key} has ${field}`));
    }
    return found;
  }

  /** Puts the letters of all shards back on their streams. */
  async putBackLetters(): Promise<void> {
    for (const { stream, letters } of await this.snapshots()) {
      if (letters.length === 0) continue;
      const parameters = { stream, group: GROUP, count: 1000 };
      const { entries } = await this.call<Redriven>('stream-redrive', parameters);
      for (const { sourceId, redrivenAs } of entries) {
        const entry = this.ledger.entryAt(stream, sourceId);
        if (redrivenAs !== null && entry) this.ledger.putBack(entry.n, stream, redrivenAs);
      }
    }
  }

  /** Deletes the dead letters of a stream, or those of all that share them. Returns which. */
  async deleteLetters(stream: string): Promise<number[]> {
    const { deadLetterStream = deadLetterStreamOf(stream, GROUP) } = this.world.consumer;
    const letters = String(deadLetterStream);
    return (await this.send<string[]>(letters, 'EVAL', DELETE_LETTERS, '1', letters)).map(Number);
  }

  async snapshots(streams = this.streams): Promise<Snapshot[]> {
    return Promise.all(
      streams.map(async (stream) => {
        const { deadLetterStream = deadLetterStreamOf(stream, GROUP) } = this.world.consumer;
        const [lastDeliveredId, pending, unread, letters] = await this.send<
          [string, string[], number | string, [string, string, string, string][]]
        >(stream, 'EVAL', SNAPSHOT, '2', stream, String(deadLetterStream), GROUP);
        return {
          stream,
          lastDeliveredId,
          pending,
          unread: Number(unread),
          letters: letters.map(([n, sourceId, errorType, id]) => {
            return { n: Number(n), sourceId, errorType, ageMs: parseInt(id) - parseInt(sourceId) };
          }),
        };
      }),
    );
  }

  async close(): Promise<void> {
    await this.runs.close();
    (await this.#operator)?.kill('SIGKILL');
    await Promise.all([this.target.close(), this.topic.close(), this.#secrets.close(), this.servers.stop()]);
  }

  async #put({ n, key, fate, fields }: Draft): Promise<void> {
    const stream = streamOf(key, this.#shards);
    this.#expect({ n, key, fate }, stream, ''); // the target may have it before its id is known
    const id = await this.send<string>(stream, 'XADD', stream, '*', ...fields);
    this.#expect({ n, key, fate }, stream, id);
  }

  /** As producers do, so many records in a call; what is no record, as any program does. */
  async #enqueueAll(drafts: readonly Draft[]): Promise<void> {
    let together: Draft[] = [];
    const enqueue = async () => {
      if (together.length > 0) await this.#enqueue(together);
      together = [];
    };
    for (const draft of drafts) {
      if (draft.source) together.push(draft);
      if (!draft.source || together.length === this.world.enqueuedTogether) await enqueue();
      if (!draft.source) await this.exclusively(() => this.#put(draft));
    }
    await enqueue();
  }

  async #enqueue(drafts: readonly Draft[]): Promise<void> {
    for (const draft of drafts) this.#expect(draft, streamOf(draft.key, this.#shards), '');
    const common = { ...KIND, idempotencyKey: `entry-${drafts[0]!.n}` };
    const records = drafts.map(({ source }) => source);
    const ids =
      this.world.enqueuedTogether === 1
        ? [await this.call<Enqueued>('mdm-source-enqueue', { ...common, ...records[0] })]
        : (await this.call<{ ids: Enqueued[] }>('mdm-source-enqueue-batch', { ...common, records })).ids;
    for (const [at, { stream, id }] of ids.entries()) this.#expect(drafts[at]!, stream, id);
  }

  #expect({ n, key, fate }: Pick<Draft, 'n' | 'key' | 'fate'>, stream: string, id: string): void {
    this.ledger.expect({ n, stream, id, key: this.world.target.isKeyed ? key : stream, fate });
  }
}

interface Enqueued {
  stream: string;
  id: string;
}

interface Redriven {
  entries: { sourceId: string; redrivenAs: string | null }[];
}
