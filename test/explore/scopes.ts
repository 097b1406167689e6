import { startRedisServer, type RedisServer } from '../../sandbox/redis/redis-server.ts';
import { openRedis } from '../support/consumer/consumer-fixture.ts';
import { explore, type Found } from './search.ts';
import { World, type Mishap, type Scope } from './world.ts';

const ONE_KEY = [[0, 'a'], [0, 'a']] as const; // prettier-ignore
const TWO_SHARDS = [[0, 'a'], [1, 'b']] as const; // prettier-ignore

const SCHEDULED = { runs: 2, shards: 1, isWoken: false, entries: ONE_KEY };
/** A run on the schedule, and one that the producer wakes. */
const WOKEN = { ...SCHEDULED, runs: 1, isWoken: true };
/** Both runs are woken. */
const TWO_SHARDS_WOKEN = { ...WOKEN, runs: 0, shards: 2, entries: TWO_SHARDS };

const withMishap = (mishap: Mishap, scopes: Record<string, Scope>): Record<string, Scope> =>
  Object.fromEntries(Object.entries(scopes).map(([name, scope]) => [`${name}, ${mishap}`, { ...scope, mishap }]));

const ofOneKey: Record<string, Scope> = {
  'two runs, one key': { ...SCHEDULED, batchSize: 1 },
  'wake, one key': WOKEN,
};
const ofTwoShards: Record<string, Scope> = {
  'two runs, two shards': { ...SCHEDULED, shards: 2, entries: TWO_SHARDS },
  'wake, two shards': TWO_SHARDS_WOKEN,
};

/** What `npm run explore` goes through. The largest come last, and get the time that is left. */
export const scopes: Record<string, Scope> = {
  ...ofOneKey,
  'two runs, no group': { ...SCHEDULED, hasGroup: false },
  'an operator pauses': { ...WOKEN, isPaused: true },
  ...ofTwoShards,
  ...withMishap('crash', { ...ofOneKey, ...ofTwoShards }),
  ...withMishap('late', ofOneKey),
  ...withMishap('slow', ofOneKey),
  ...withMishap('stop', { ...ofOneKey, ...ofTwoShards }),
};

/** Explores on a redis-server of its own. */
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

  /** Looks at every schedule of a scope, for so long. */
  explore(scope: Scope, ms: number): Promise<Found> {
    const endsAt = performance.now() + ms;
    const isOver = () => performance.now() > endsAt;
    return explore(() => World.begin(this.#redis, scope), isOver);
  }

  /** What happens on a path, a line a step. */
  async tell(scope: Scope, path: readonly string[]): Promise<string[]> {
    const world = await World.begin(this.#redis, scope);
    for (const name of path) await world.take(name);
    if (world.steps().length === 0) await world.finish();
    return world.trace;
  }

  async close(): Promise<void> {
    this.#redis.end();
    await this.#server.stop();
  }
}
