import { startRedisServer, type RedisServer } from '../../sandbox/redis/redis-server.ts';
import { openRedis } from '../support/consumer/consumer-fixture.ts';
import { explore, type Found } from './search.ts';
import { World, type Mishap, type Scope } from './world.ts';

const ONE_KEY = [[0, 'a'], [0, 'a']] as const; // prettier-ignore
const TWO_SHARDS = [[0, 'a'], [1, 'b']] as const; // prettier-ignore
const MISHAPS: readonly Mishap[] = ['crash', 'stop', 'late', 'slow'];

const ofMishap = (mishap?: Mishap): Record<string, Scope> => {
  const name = mishap ? `, ${mishap}` : '';
  const scope = { runs: 1, shards: 1, isWoken: true, entries: ONE_KEY, mishap };
  return {
    [`wake, one key${name}`]: scope,
    [`two runs, one key${name}`]: { ...scope, runs: 2, isWoken: false, batchSize: 1 },
    [`two runs, two shards${name}`]: { ...scope, runs: 2, shards: 2, entries: TWO_SHARDS, isWoken: false },
    [`wake, two shards${name}`]: { ...scope, shards: 2, entries: TWO_SHARDS },
  };
};

/** What `npm run explore` goes through. */
export const scopes: Record<string, Scope> = {
  ...ofMishap(),
  'two runs, no group': { runs: 2, shards: 1, isWoken: false, entries: ONE_KEY, hasGroup: false },
  'an operator pauses': { runs: 1, shards: 1, isWoken: true, entries: ONE_KEY, isPaused: true, mishap: 'slow' },
  ...MISHAPS.reduce((all, mishap) => ({ ...all, ...ofMishap(mishap) }), {}),
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
