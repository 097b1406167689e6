import { Random } from '#test/support/random.ts';
import { RARE_TROUBLES, TROUBLES } from './troubles.ts';
import { FAILINGS, slownessOf, type Failing, type TargetSettings, type Trouble, type World } from './world.ts';

const NONE = Object.fromEntries(FAILINGS.map((failing) => [failing, 0])) as Record<Failing, number>;
/** Shares of a core that Lambda gives at 178, 512, 884 and 1,769 MB, about. */
const SHARES = [0.1, 0.29, 0.29, 0.29, 0.5, 1];
/** Leases that a run can renew beside its work if each lasts a second. They last 15 by default. */
const MOST_SHARDS_A_SECOND = 100;
/** How many cores the containers of a world may ask for together. */
const MOST_CORES = 1.6;
/** One in twelve has each of the larger ones. */
const REDIS = [...Array<'server'>(10).fill('server'), 'sentinel', 'cluster'] as const;
const LETTERS = 'letters put back';
const RESHARD = 'shards changed';
const WORK_MS = 1500;
const BYTES = [
  [20, 200],
  [200, 2000],
  [20, 60_000],
] as const;
/** What a run carries in a second of a whole core; and of a Lambda target, whose client takes longer. */
const PER_CORE_SECOND = { mdm: 450, lambda: 300 };
const MOST_ENTRIES = 400;
/** What takes entries from a second group, too. */
const EMPTYING = ['stream deleted', 'Redis emptied'];
/** What clocks are ahead by: each container begins with another, and its clock is set to the next while it works. */
const CLOCKS = [[-3_600_000], [3_600_000, 0], [60_000, -60_000], [4000, -4000, 2_592_000_000]];
/** Of more shards, each has dead letters of its own: looking at a stream that all share takes too long. */
const MOST_SHARING = 16;

/** The world of a seed. Each setting is drawn from its own sequence of numbers. */
export function worldOf(seed: number): World {
  const draw = (what: string) => Random.of(seed, what);
  const isCalm = draw('calm').happens(0.4);
  const runs = draw('runs').pick([1, 1, 2, 2, 2, 3, 4, 8]);
  const share = Math.min(draw('share').pick(SHARES), MOST_CORES / runs);
  const slower = slownessOf(share);
  const shards = draw('shards').pick([1, 1, 2, 4, 16, 16, 16, 64, 256]);
  const redis = isCalm ? 'server' : draw('redis').pick(REDIS);
  const kind = draw('kind').pick(['mdm', 'mdm', 'lambda'] as const);
  const of = { redis, kind, runs };
  const troubles = isCalm
    ? []
    : [...drawTroubles(draw('troubles'), of), ...drawRareTroubles(draw('rare troubles'), of)].sort(
        (a, b) => a.at - b.at,
      );
  const target = drawTarget(draw('target'), {
    kind,
    isCalm,
    hasLetters: troubles.some(({ name }) => name === LETTERS),
  });
  const isKept = redis === 'server' && !troubles.some(({ name }) => EMPTYING.includes(name));
  const hasSlowGroup = isKept && draw('slow group').happens(0.1);
  const consumer = {
    ...drawConsumer(draw('consumer'), target, isCalm ? undefined : slower * Math.max(1, shards / MOST_SHARDS_A_SECOND)),
    ...drawRare(draw('rare'), { canShareLetters: shards <= MOST_SHARING && redis !== 'cluster' }),
    ...(hasSlowGroup && { trim: true }),
  };
  const concurrency = Number(consumer.concurrency ?? 10);
  const perSecond = Math.min(
    runs * share * PER_CORE_SECOND[target.kind],
    Number(consumer.ratePerSecond ?? Infinity) * target.batchSize,
    (1000 / target.latencyMs) * Math.min(runs * concurrency, target.isKeyed ? Infinity : shards),
  );
  const part = 0.3 + draw('entries').next();
  const entries = Math.max(12, Math.min(MOST_ENTRIES, Math.round((perSecond * WORK_MS * part) / 1000)));
  const isWoken = target.kind === 'mdm' && draw('woken').happens(0.3);
  const isAdded = isWoken || troubles.some(({ name }) => name === RESHARD) || draw('added').happens(0.3);
  return {
    seed,
    runs,
    share,
    shards,
    entries,
    redis,
    target,
    consumer,
    isWoken,
    enqueuedTogether: draw('together').pick([1, 10, 100]),
    hasSlowGroup,
    clocksAheadMs: draw('clocks').happens(0.15) ? draw('clocks ahead').pick(CLOCKS) : [],
    hasTopic: draw('topic').happens(0.3),
    sharesSession: kind === 'mdm' && draw('session').happens(0.15),
    troubles,
    keys: Math.max(2, Math.round(entries * draw('keys').pick([0.1, 0.3, 0.7, 1]))),
    bytes: draw('bytes').pick(BYTES),
    addedPerSecond: isAdded ? Math.ceil(perSecond * draw('pace').pick([0.6, 0.6, 3])) : undefined,
    scheduleMs: draw('schedule').pick([1000, 1500]),
    invocationMs: Math.round(draw('invocation').pick([2500, 4000, 8000]) * slower),
    linkMs: redis === 'sentinel' ? 0 : draw('link').pick([0, 0, 0, 1, 3]),
  };
}

interface Given {
  readonly kind: 'mdm' | 'lambda';
  readonly isCalm: boolean;
  /** Whether letters are put back. */
  readonly hasLetters: boolean;
}

function drawTarget(random: Random, { kind, isCalm, hasLetters }: Given): TargetSettings {
  const latencyMs = random.pick([1, 5, 20, 50, 150]);
  const isKeyed = kind === 'mdm' || random.happens(0.7);
  const batchSize = kind === 'lambda' ? random.pick([1, 1, 5, 50]) : 1;
  const hopeless = hasLetters ? 0.15 : random.pick([0, 0.02, 0.05, 0.1]);
  const base = { kind, latencyMs, isKeyed, batchSize };
  if (isCalm) return { ...base, hopeless: 0, fails: NONE };
  const possible = FAILINGS.filter((failing) => (failing === 'partial') === batchSize > 1 || failing !== 'partial');
  const ofKind = possible.filter((failing) => kind === 'mdm' || !['hangs', 'forbidden'].includes(failing));
  const fails = { ...NONE };
  for (let left = random.between(0, 2); left > 0; left--) fails[random.pick(ofKind)] = random.pick([0.01, 0.03, 0.1]);
  if (fails.hangs > 0) fails.hangs = 0.005;
  if (batchSize > 1) fails.partial = 0.1;
  return { ...base, hopeless, fails };
}

/**
 * Half of the worlds that are calm have the defaults.
 *
 * @param slower how many times longer leases last than the shortest; undefined in a world that is calm
 */
function drawConsumer(random: Random, { kind, isKeyed, batchSize }: TargetSettings, slower: number | undefined) {
  const lambdaSettings = kind === 'lambda' ? { ...(isKeyed && { keyField: 'key' }), targetBatchSize: batchSize } : {};
  const isStandard = random.happens(0.5);
  const settings = {
    concurrency: random.pick([1, 4, 10, 10, 20, 50]),
    batchSize: random.pick([10, 100, 100, 500]),
    trim: random.happens(0.3),
    ...(random.happens(0.3) && { ratePerSecond: random.pick([20, 60, 200]) }),
  };
  if (slower === undefined) return { ...lambdaSettings, ...(!isStandard && settings) };
  const hasty = {
    backoffMs: random.pick([20, 50, 100]),
    maxDeliveries: random.pick([2, 3, 5]),
    leaseMs: Math.round(random.pick([1000, 1000, 1500]) * slower),
    refusalLimit: random.pick([0, 20, 20]),
  };
  return { ...lambdaSettings, ...(!isStandard && settings), ...hasty };
}

/** Settings that few consumers have. On a cluster, a letter must stay in the slot of its shard. */
function drawRare(random: Random, { canShareLetters }: { canShareLetters: boolean }): World['consumer'] {
  const [isOld, lingers, shares] = [random.happens(0.15), random.happens(0.15), random.happens(0.15)];
  return {
    ...(isOld && { maxAgeMs: random.pick([300, 1000, 3000]) }),
    ...(lingers && { lingerMs: random.pick([200, 1500]) }),
    ...(shares && canShareLetters && { deadLetterStream: 'letters' }),
  };
}

/** Few of those that hide much, because what they allow is not judged; and some of operators and of the target. */
function drawTroubles(random: Random, world: Pick<World, 'redis' | 'runs'> & { kind: string }): Trouble[] {
  const names = Object.keys(TROUBLES).filter((name) => TROUBLES[name]!.fits(world));
  const [hard, plain] = [names.filter(isHard), names.filter((name) => !isHard(name))];
  const hardOnes = Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, () => random.pick(hard));
  const plainOnes = Array.from({ length: random.between(hardOnes.length > 0 ? 0 : 1, 2) }, () => random.pick(plain));
  const drawn = new Set([...hardOnes, ...plainOnes]);
  if (drawn.has(LETTERS)) drawn.delete(RESHARD); // the guide: letters first
  const troubles = [...drawn].flatMap((name) => {
    const times = TROUBLES[name]!.isOnce ? 1 : random.between(1, 4);
    return Array.from({ length: times }, () => drawTrouble(random, name));
  });
  return troubles;
}

/** Troubles that worlds were given later: they leave what else is drawn of a seed as it was. */
function drawRareTroubles(random: Random, world: Pick<World, 'redis' | 'runs'> & { kind: string }): Trouble[] {
  if (!random.happens(0.25)) return [];
  const names = Object.keys(RARE_TROUBLES).filter((name) => RARE_TROUBLES[name]!.fits(world));
  return [drawTrouble(random, random.pick(names))];
}

const drawTrouble = (random: Random, name: string): Trouble => {
  return { name, at: random.next() * 0.9, size: random.next(), which: random.next() };
};

function isHard(name: string): boolean {
  const { leasesLost = false, uncounted = false } = TROUBLES[name]!.allows ?? {};
  return leasesLost || uncounted;
}
