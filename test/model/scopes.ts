import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { openRedis } from '#test/support/consumer/consumer-fixture.ts';
import { LearnedServer } from './learned-server.ts';
import { explore, type Found, type Step } from './search.ts';
import { World, type Mishap, type ExploredScope } from './explored-world.ts';

const FIRST = [0, 'a'] as const;
const ONE_KEY = [FIRST, FIRST] as const;
const TWO_SHARDS = [FIRST, [1, 'b']] as const;

/** Two runs on the schedule, A and B, which are alike. */
const SCHEDULED = { runs: 2, shards: 1, isWoken: false, entries: ONE_KEY, batchSize: 1, unlucky: 'A' };
const TWO_SHARDS_SCHEDULED = { ...SCHEDULED, shards: 2, entries: TWO_SHARDS };
/** A scheduled run, and one that the producer wakes. */
const WOKEN = { runs: 1, shards: 1, isWoken: true, entries: ONE_KEY };
/** Both runs are woken. */
const TWO_SHARDS_WOKEN = { ...WOKEN, runs: 0, shards: 2, entries: TWO_SHARDS };

const withMishap = (mishap: Mishap, scopes: Record<string, ExploredScope>): Record<string, ExploredScope> =>
  Object.fromEntries(Object.entries(scopes).map(([name, scope]) => [`${name}, ${mishap}`, { ...scope, mishap }]));

const ofOneKey = { 'two runs, one key': SCHEDULED, 'wake, one key': WOKEN };
const ofTwoShards = { 'two runs, two shards': TWO_SHARDS_SCHEDULED, 'wake, two shards': TWO_SHARDS_WOKEN };

/** Of a few seconds each. */
export const testedScopes: Record<string, ExploredScope> = {
  ...ofOneKey,
  'two runs, no group': { ...SCHEDULED, hasGroup: false },
  'an operator pauses': { ...WOKEN, isPaused: true },
  ...withMishap('crash', ofOneKey),
  ...withMishap('late', { 'two runs, one key': SCHEDULED }),
  ...withMishap('slow', { 'two runs, one key': SCHEDULED }),
  ...withMishap('stop', { 'two runs, one key': SCHEDULED }),
  ...ofTwoShards,
  ...withMishap('crash', { 'two runs, two shards': TWO_SHARDS_SCHEDULED }),
};

/** What `npm run prove -- explore` goes through, the small ones first. */
export const scopes: Record<string, ExploredScope> = {
  ...testedScopes,
  ...withMishap('crash', { 'wake, two shards': TWO_SHARDS_WOKEN }),
  ...withMishap('late', { 'wake, one key': WOKEN }),
  ...withMishap('slow', { 'wake, one key': WOKEN }),
  ...withMishap('stop', { 'wake, one key': WOKEN, 'two runs, two shards': TWO_SHARDS_SCHEDULED }),
  'wake, two shards, stop of the first': { ...TWO_SHARDS_WOKEN, mishap: 'stop', unlucky: 'W0' },
  'wake, two shards, stop of the second': { ...TWO_SHARDS_WOKEN, mishap: 'stop', unlucky: 'W1' },
};

interface Outcome extends Omit<Found<Step>, 'fault'> {
  /** The first fault, and what led to it, a line a step. */
  readonly fault: { readonly what: string; readonly trace: readonly string[] } | undefined;
}

/** Explores on a dedicated redis-server. */
export class Explorer {
  readonly #server: RedisServer;
  readonly #redis: ReturnType<typeof openRedis>;

  private constructor(server: RedisServer) {
    this.#server = server;
    this.#redis = openRedis(server.port, 10_000);
  }

  static async open(): Promise<Explorer> {
    return new Explorer(await startRedisServer());
  }

  /** Looks at every schedule of a scope, or stops early. */
  async explore(scope: ExploredScope, isOver: (found: Found<Step>) => boolean = () => false): Promise<Outcome> {
    const world = new World(new LearnedServer(this.#redis), scope);
    const { fault, ...found } = await explore(world, isOver);
    const differences = await world.differences();
    if (differences.length > 0) throw new Error(`these were taken as one, and differ:\n${differences.join('\n')}`);
    return { ...found, fault: fault && { what: fault.what, trace: await world.tell(fault.path) } };
  }

  async close(): Promise<void> {
    this.#redis.end();
    await this.#server.stop();
  }
}
