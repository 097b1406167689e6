import { allowanceOf } from './troubles.ts';
import { isCalm, type Failing, type World } from './world.ts';

/** A fault to plant in a copy of the sources: `find` occurs there exactly once. */
export interface Planted {
  readonly what: string;
  /** The worlds that can show it. Default: all. */
  readonly shownIn?: (world: World) => boolean;
  /** What such a world needs besides. */
  readonly settings?: Partial<World>;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const SCRIPTS = 'lib/consumer/group/scripts';
const WINDOW = 'lib/consumer/window/window.ts';
const ORDER = 'lib/consumer/window/key-order.ts';

const has =
  (name: string) =>
  ({ troubles }: World): boolean =>
    troubles.some((trouble) => trouble.name === name);
const fails = ({ target }: World, ...failings: Failing[]): boolean => failings.some((name) => target.fails[name] > 0);
const hasLongKeys = ({ keys, entries, target }: World): boolean => target.isKeyed && keys <= entries / 3;
/** Where only what the target fails may fail or come twice, and every report counts. */
const isStrict = (world: World): boolean => {
  const { repeats, uncounted, unseen, redisFails, leasesLost } = allowanceOf(world);
  return !repeats && !uncounted && !unseen && !redisFails && !leasesLost;
};
/** Where an attempt fails only if the target sees it, and entries have a maximum age. */
const isAgeTold = (world: World): boolean => world.consumer.maxAgeMs !== undefined && !allowanceOf(world).unseen;
const retries = (world: World): boolean => isStrict(world) && fails(world, 'own', 'outage', 'throttle');

/** Faults that the random worlds must find, each within a minute. */
export const PLANTED: readonly Planted[] = [
  {
    what: 'an entry is acknowledged when its attempt begins',
    shownIn: has('run killed'),
    file: WINDOW,
    find: 'this.keys.begin(pending);',
    replace: 'this.keys.begin(pending);\n      this.results.processed(pending);',
  },
  {
    what: 'a body that was read is dropped now and then',
    file: WINDOW,
    find: 'for (const entry of entries) this.#add(entry, now);',
    replace: 'for (const entry of entries.slice(0, 9)) this.#add(entry, now);',
  },
  {
    what: 'a processed entry counts twice',
    file: WINDOW,
    find: 'this.#options.counts.processed += processed.length;',
    replace: 'this.#options.counts.processed += 2 * processed.length;',
  },
  {
    what: 'entries that a batch reports as failed are acknowledged',
    shownIn: (world) => fails(world, 'partial'),
    file: 'lib/consumer/dispatch/batch.ts',
    find: '!failedIds.has(id);',
    replace: '!failedIds.has(`${id}?`);',
  },
  {
    what: 'every entry is a key of its own',
    shownIn: (world) => hasLongKeys(world) && world.target.latencyMs >= 20,
    file: 'lib/consumer/entry.ts',
    find: 'export function orderingKeyOf(',
    replace: 'export const orderingKeyOf = ({ id }: Entry, _names: unknown): string => id;\nexport function unused(',
  },
  {
    what: 'a shard that is being given back is still served',
    shownIn: (world) => has('paused')(world) && !allowanceOf(world).redisFails,
    file: 'lib/consumer/shards/shard-consumer.ts',
    find: 'return !this.isOver && !this.#isLeaving && this.holdsLease(now);',
    replace: 'return !this.isOver;',
  },
  {
    what: 'a lease that another run holds is taken',
    shownIn: ({ runs, shards }) => runs > 2 && shards <= 16,
    file: `${SCRIPTS}/acquire.lua`,
    find: "if redis.call('GET', KEYS[1]) then return {'held'} end",
    replace: '',
  },
  {
    what: 'leases are not renewed in time',
    shownIn: (world) => isStrict(world) && !isCalm(world),
    file: 'lib/consumer/shards/lease.ts',
    find: 'Math.min(CHECK_MS, this.#ms / 3);',
    replace: 'this.#ms;',
  },
  {
    what: 'fences never expire',
    shownIn: (world) => has('run killed')(world) && world.redis === 'server',
    file: `${SCRIPTS}/acquire.lua`,
    find: "redis.call('XGROUP', 'CREATE', KEYS[2], ARGV[3], '$', 'MKSTREAM')\nredis.call('PEXPIRE', KEYS[2], ARGV[2])",
    replace: "redis.call('XGROUP', 'CREATE', KEYS[2], ARGV[3], '$', 'MKSTREAM')",
  },
  {
    what: 'a pause does not end a run that works',
    shownIn: (world) => has('paused')(world) && !allowanceOf(world).redisFails,
    file: `${SCRIPTS}/renew.lua`,
    find: "redis.call('EXISTS', KEYS[3]) == 1 and 'paused' or 'renewed'",
    replace: "'renewed'",
  },
  {
    what: 'entries whose bodies are there are acknowledged as deleted',
    shownIn: has('group made anew'),
    file: `${SCRIPTS}/forget.lua`,
    find: "if #redis.call('XRANGE', KEYS[2], id, id) == 0 then\n    deleted",
    replace: 'if true then\n    deleted',
  },
  {
    what: 'a dead letter acknowledges nothing',
    shownIn: (world) => world.target.hopeless > 0 && !allowanceOf(world).repeats,
    file: `${SCRIPTS}/bury.lua`,
    find: "if redis.call('XACK', KEYS[2], ARGV[2], id) == 0 then",
    replace: "if redis.call('XPENDING', KEYS[2], ARGV[2])[1] == 0 then",
  },
  {
    what: 'failures of processed entries are kept',
    shownIn: (world) => retries(world) && world.redis === 'server',
    file: 'lib/consumer/group/redis-group.ts',
    find: 'items.filter(({ hasState }) => hasState)',
    replace: 'items.filter(() => false)',
  },
  {
    what: 'no enqueue wakes the consumer',
    shownIn: (world) => world.isWoken && isCalm(world),
    file: 'lib/consumer/producer/wake.ts',
    find: 'if (keys.length === 0) return;',
    replace: 'if (keys.length >= 0) return;',
  },
  {
    what: 'a run out of time starts no successor',
    shownIn: (world) => world.isWoken && isCalm(world) && world.share === 0.29 && world.shards <= 16,
    settings: { entries: 400, addedPerSecond: 1000, invocationMs: 2500 },
    file: 'lib/consumer/consume.ts',
    find: 'if (run.needsSuccessor && startSuccessor) {',
    replace: 'if (run.needsSuccessor && startSuccessor && false) {',
  },
  {
    what: 'an outage is the fault of its entry',
    shownIn: (world) => fails(world, 'outage'),
    file: 'lib/consumer/targets/failure.ts',
    find: "return OUTAGE_STATUS.has(upstreamStatus ?? status) ? 'outage' : 'own';",
    replace: "return OUTAGE_STATUS.has(upstreamStatus ?? status) ? 'permanent' : 'own';",
  },
  {
    what: 'nothing waits before it is tried again',
    shownIn: retries,
    file: 'lib/consumer/window/pending-entry.ts',
    find: 'if (deliveries === 0) return 0;',
    replace: 'if (deliveries >= 0) return 0;',
  },
  {
    what: 'later entries of a key do not wait for a failed one',
    shownIn: (world) => hasLongKeys(world) && fails(world, 'own', 'outage', 'throttle'),
    file: ORDER,
    find: 'if (pending.keyQueue.head === pending) this.#delayed.push(pending);',
    replace: `if (pending.keyQueue.head === pending) this.#delayed.push(pending);
      if (pending.next?.stage === 'behind') this.#advance(pending.next, 0);`,
  },
  {
    what: 'the rate holds nobody back',
    shownIn: ({ consumer, target }) => Number(consumer.ratePerSecond) <= 60 && target.batchSize === 1,
    settings: { entries: 200 },
    file: `${SCRIPTS}/reserve.lua`,
    find: "return {string.format('%d', calls), string.format('%.0f', due - now)}",
    replace: "return {ARGV[1], '0'}",
  },
  {
    what: 'superseded letters are put back',
    shownIn: (world) => has('letters put back')(world) && hasLongKeys(world),
    file: 'lib/consumer/dead-letters/scripts/move.lua',
    find: "if not input.force and key and later[key] and later[key] > age then return 'superseded' end",
    replace: '',
  },
  {
    what: 'the age of an entry is measured by the clock of the container',
    shownIn: (world) => isAgeTold(world) && fails(world, 'own', 'outage', 'throttle'),
    settings: { clocksAheadMs: [3_600_000] },
    file: 'lib/consumer/redis-clock.ts',
    find: 'Math.round(origin + systemClock.now())',
    replace: 'systemClock.epochMs()',
  },
  {
    what: 'trimming takes what is not processed',
    shownIn: (world) => world.consumer.trim === true && fails(world, 'own', 'outage', 'throttle'),
    file: `${SCRIPTS}/trim.lua`,
    find: 'if info.pending > 0 then need',
    replace: 'if info.pending < 0 then need',
  },
];
