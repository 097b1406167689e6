import { setTimeout as sleep } from 'node:timers/promises';
import { fenceKeyOf, leaseKeyOf } from '#lib/consumer/redis-keys.ts';
import { Random } from '#test/support/random.ts';
import type { TcpProxy } from '#test/support/redis/tcp-proxy.ts';
import { allowAll, type Allowance, type Entry } from './ledger.ts';
import { refuseConnections, refuseWrites, runSlowScript } from './refusals.ts';
import type { Stage } from './stage.ts';
import { slownessOf, type Trouble, type World } from './world.ts';

interface Kind {
  fits(world: Pick<World, 'redis' | 'runs'> & { kind: string }): boolean;
  /** It comes at most once in a world. */
  readonly isOnce?: boolean;
  readonly allows?: Partial<Allowance>;
  act(stage: Stage, trouble: Trouble): Promise<unknown>;
}

/** Attempts that take so long on average may last longer than runs go on after a pause. */
const LONG_MS = 150;
/** When TCP sends a packet again that was lost. */
const RETRANSMIT_MS = 200;
/** A slot moves slowly for so long: with a pause for each idempotency key it would take a minute. */
const SLOW_MOVE_MS = 2500;
/** A group is set back by fewer entries, or to its beginning. */
const MOST_BACK = 60;
/** Keys that cost no entry: Redis evicts them where its policy says so. Of a pause, the world is judged. */
const EVICTED = /:(lease|fence|asked|wake|rest|rate|state|superseded|notice):/;
/** What runs need, and neither producers nor the ledger. */
const COMMANDS = ['xack', 'xclaim', 'xreadgroup', 'xdel', 'hset', 'hdel', 'hget', 'pexpire', 'get', 'exists'];
/** Within this, a producer tells the ledger the id of what it added. */
const NAMED_MS = 2000;
const always = () => true;
const onServer: Kind['fits'] = ({ redis }) => redis === 'server';
const onCluster: Kind['fits'] = ({ redis }) => redis === 'cluster';
const between = (share: number, low: number, high: number) => Math.round(low + share * (high - low));
const pick = <T>(share: number, items: readonly T[]): T => items[Math.floor(share * items.length)]!;

/** What a run may suffer that Redis lets down. */
const REDIS: Partial<Allowance> = { repeats: true, unseen: true, redisFails: true, leasesLost: true };
/** What a run may suffer to which Redis refuses commands for some time. */
const REFUSED: Partial<Allowance> = { redisFails: true, repeats: true, leasesLost: true };
/** A process that lost its lease may finish sending what it started, and the next run sends it too. */
const LOST_LEASE: Partial<Allowance> = { repeats: true, unseen: true, leasesLost: true };
/** Entries that were delivered come again, once they had begun and once more. */
const AGAIN: Partial<Allowance> = { repeats: true, uncounted: true, rewinds: 2 };

export const TROUBLES: Readonly<Record<string, Kind>> = {
  'run killed': {
    fits: always,
    allows: LOST_LEASE,
    async act(stage, { which }) {
      const underWay = [...stage.target.underWay];
      if (!stage.runs.kill(which)) return;
      stage.ledger.killed(underWay);
      stage.ledger.checkAcknowledged(await stage.snapshots());
    },
  },
  'run suspended': {
    fits: always,
    allows: REDIS,
    act: (stage, { which, size }) => stage.runs.suspend(which, between(size, 300, 2600)),
  },
  'lease taken away': {
    fits: always,
    allows: LOST_LEASE,
    async act(stage, { which }) {
      const stream = pick(which, stage.streams);
      const lease = leaseKeyOf(stream, stage.group);
      const token = await stage.send<string | null>(stream, 'GET', lease);
      if (token !== null) await stage.send(stream, 'DEL', lease, fenceKeyOf(stream, stage.group, token));
    },
  },
  'Redis killed and started': {
    fits: onServer,
    allows: REDIS,
    async act({ servers }, { size }) {
      const { server } = servers.single!;
      await server.kill();
      await sleep(between(size, 0, 2500));
      await server.start();
    },
  },
  'Redis suspended': {
    fits: onServer,
    allows: REDIS,
    async act({ servers }, { size }) {
      const { server } = servers.single!;
      server.freeze();
      await sleep(between(size, 100, 2500));
      server.thaw();
    },
  },
  'connections cut': { fits: onServer, allows: REDIS, act: async ({ servers }) => servers.single!.proxy.cut() },
  'a reply lost': { fits: onServer, allows: REDIS, act: async ({ servers }) => servers.single!.proxy.cutReply() },
  'link silent': {
    fits: onServer,
    allows: REDIS,
    async act({ servers }, { size }) {
      const { proxy } = servers.single!;
      proxy.stall();
      await sleep(between(size, 100, 2500));
      proxy.cut();
      proxy.pass();
    },
  },
  'link slow': {
    fits: onServer,
    allows: { redisFails: true },
    async act({ servers, world }, { size, which }) {
      const { proxy } = servers.single!;
      proxy.delay(between(which, 10, 100));
      await sleep(between(size, 200, 2000));
      proxy.delay(world.linkMs);
    },
  },
  'link lossy': {
    fits: onServer,
    allows: { redisFails: true },
    act: ({ servers, world }, trouble) => losePackets([servers.single!.proxy], world, trouble),
  },
  'memory full': {
    fits: onServer,
    allows: { redisFails: true },
    async act({ send }, { size }) {
      await send('', 'CONFIG', 'SET', 'maxmemory', '1');
      await sleep(between(size, 50, 600));
      await send('', 'CONFIG', 'SET', 'maxmemory', '0');
    },
  },
  'scripts flushed': { fits: onServer, act: ({ send }) => send('', 'SCRIPT', 'FLUSH') },
  'fail-over': {
    fits: ({ redis }) => redis !== 'server',
    isOnce: true,
    allows: { ...REDIS, uncounted: true, rewinds: 1 },
    act: ({ servers }) => servers.failOver(),
  },
  'a node silent': {
    fits: onCluster,
    allows: REDIS,
    async act({ servers }, { size }) {
      const proxy = servers.masters[2]!;
      proxy.stall();
      await sleep(between(size, 100, 4000));
      proxy.cut();
      proxy.pass();
    },
  },
  'slot moved': {
    fits: onCluster,
    allows: REDIS,
    async act({ servers, streams }, { which, size }) {
      const pauseMs = size < 0.8 ? 15 : 400;
      const slowUntil = performance.now() + SLOW_MOVE_MS;
      await servers.moveSlot(pick(which, streams), () => sleep(performance.now() < slowUntil ? pauseMs : 0));
    },
  },
  'target away': {
    fits: always,
    allows: { unseen: true },
    async act({ target }, { which, size }) {
      target.outage = pick(which, ['refuses', 'resets']);
      await sleep(between(size, 200, 2000));
      target.outage = undefined;
    },
  },
  'target silent': {
    fits: ({ kind }) => kind === 'mdm',
    allows: { unseen: true },
    async act({ target }, { size }) {
      target.outage = 'hangs';
      await sleep(between(size, 200, 1500));
      target.outage = undefined;
    },
  },
  'sessions ended': { fits: ({ kind }) => kind === 'mdm', act: async ({ target }) => target.sessions.expireAll() },
  'password changed': {
    fits: ({ kind }) => kind === 'mdm',
    allows: { unseen: true },
    isOnce: true,
    async act(stage, { size }) {
      stage.target.sessions.password = 'second';
      stage.target.sessions.expireAll();
      await sleep(between(size, 100, 1000)); // whoever changes it takes a while to change the secret
      stage.setSecret({ password: 'second' });
    },
  },
  paused: {
    fits: always,
    isOnce: true,
    act: (stage, { size, which }) => stage.pause(between(size, 2000, 5000), which > 0.7),
  },
  'letters put back': {
    fits: always,
    async act(stage) {
      stage.target.heal();
      await stage.putBackLetters();
    },
  },
  'shards changed': {
    fits: always,
    isOnce: true,
    act: (stage, { size, which }) => stage.changeShards(pick(size, [1, 2, 8, 32].slice(which < 0.5 ? 0 : 2))),
  },
  'stream trimmed': {
    fits: always,
    async act(stage, { which, size }) {
      const stream = pick(which, stage.streams);
      const entry = await entryNear(stage, stream, size);
      if (!entry) return;
      // the last delivered are on their way
      const ofStream = stage.ledger.ofStream(stream).filter(({ n }) => n < entry.n);
      for (const { n } of ofStream) stage.ledger.delete(n);
      await stage.send(stream, 'XTRIM', stream, 'MINID', entry.id);
    },
  },
  'entries deleted': {
    fits: always,
    async act(stage, { which, size }) {
      const stream = pick(which, stage.streams);
      for (const part of [size, size / 2, Math.sqrt(size)]) {
        const entry = await entryNear(stage, stream, part);
        if (!entry) continue;
        stage.ledger.delete(entry.n);
        await stage.send(stream, 'XDEL', stream, entry.id);
      }
    },
  },
  'group made anew': {
    fits: ({ redis }) => redis !== 'sentinel',
    allows: AGAIN,
    async act(stage, { which, size }) {
      const stream = busiest(stage, which);
      const entry = size < 0.5 ? undefined : await entryNear(stage, stream, size);
      const after = entry?.id ?? '0';
      // what the old group had not done with is skipped
      const skipped = entry ? stage.ledger.ofStream(stream).filter(({ n }) => n <= entry.n) : [];
      for (const { n } of skipped) if (!stage.ledger.hasTaken(n)) stage.ledger.removed.add(n);
      const from = performance.now();
      const delivered = await stage.send<string[]>(stream, 'EVAL', ANEW, '1', stream, stage.group, after);
      stage.ledger.startAgain(stream, delivered, from);
    },
  },
  'group set back': {
    fits: ({ redis }) => redis !== 'sentinel',
    allows: AGAIN,
    async act(stage, { which, size }) {
      const stream = busiest(stage, which);
      const from = performance.now();
      const words = [SET_BACK, '1', stream, stage.group, `${between(size, 2, MOST_BACK)}`];
      stage.ledger.deliverAgain(stream, await stage.send<string[]>(stream, 'EVAL', ...words), from);
    },
  },
  'group destroyed': {
    fits: ({ redis }) => redis !== 'sentinel',
    allows: AGAIN,
    async act(stage, { which }) {
      const stream = busiest(stage, which);
      const from = performance.now();
      const delivered = await stage.send<string[] | null>(stream, 'EVAL', DESTROY, '1', stream, stage.group);
      if (delivered) stage.ledger.startAgain(stream, delivered, from);
    },
  },
};

/** What comes to one world in four, beside its other troubles. */
export const RARE_TROUBLES: Readonly<Record<string, Kind>> = {
  "consumer's keys evicted": {
    fits: onServer,
    allows: { ...LOST_LEASE, uncounted: true },
    async act({ send, world }, { size, which }) {
      const random = Random.of(world.seed, 'evicted', which);
      for (const key of await send<string[]>('', 'KEYS', '*')) {
        if (EVICTED.test(key) && random.happens(size)) await send(key, 'DEL', key);
      }
    },
  },
  'stream deleted': {
    fits: ({ redis }) => redis !== 'sentinel',
    allows: { uncounted: true },
    async act(stage, { which }) {
      const stream = busiest(stage, which);
      const ids = await stage.exclusively(() => stage.send<string[]>(stream, 'EVAL', DELETE, '1', stream));
      await forget(stage, stream, ids);
    },
  },
  'Redis emptied': {
    fits: onServer,
    allows: { ...LOST_LEASE, uncounted: true },
    async act(stage) {
      const { streams, ledger, send } = stage;
      const letters = (await stage.snapshots()).flatMap(({ letters }) => letters);
      const words = ['EVAL', FLUSH, `${streams.length}`, ...streams];
      const ids = await stage.exclusively(() => send<string[][]>('', ...words));
      for (const { n } of letters) ledger.removed.add(n);
      await Promise.all(streams.map((stream, at) => forget(stage, stream, ids[at]!)));
    },
  },
  'rights taken away': {
    fits: onServer,
    allows: REFUSED,
    async act({ send }, { size, which }) {
      const command = pick(which, COMMANDS);
      await send('', 'ACL', 'SETUSER', 'default', `-${command}`);
      await sleep(between(size, 50, 2000));
      await send('', 'ACL', 'SETUSER', 'default', `+${command}`);
    },
  },
  'writes refused': {
    fits: onServer,
    allows: REFUSED,
    act: ({ send }, { size }) => refuseWrites(send, between(size, 50, 2000)),
  },
  'a slow script': {
    fits: onServer,
    allows: REFUSED,
    act: ({ send }, { size }) => runSlowScript(send, between(size, 50, 1500)),
  },
  'connections refused': {
    fits: onServer,
    allows: REDIS,
    async act({ servers, send }, { size }) {
      const refusing = refuseConnections(send, between(size, 50, 2000));
      servers.single!.proxy.cut();
      await refusing;
    },
  },
  "Redis' password changed": {
    fits: onServer,
    isOnce: true,
    allows: REDIS,
    async act({ servers, send, setSecret }, { size, which }) {
      await send('', 'ACL', 'SETUSER', 'default', 'resetpass', '>second');
      if (which < 0.7) servers.single!.proxy.cut();
      await sleep(between(size, 100, 1000));
      setSecret({ redisLogin: 'default:second' });
    },
  },
  'a node cut off, and links lossy': {
    fits: onCluster,
    allows: REDIS,
    act: ({ servers, world }, trouble) => {
      const [first, second, third] = servers.masters;
      return losePackets([first!, second!], world, trouble, () => third!.cut());
    },
  },
  'letters deleted': {
    fits: ({ redis }) => redis !== 'sentinel',
    async act(stage, { which }) {
      for (const n of await stage.deleteLetters(busiest(stage, which))) stage.ledger.removed.add(n);
    },
  },
  'a shard run by hand': {
    fits: always,
    act: async (stage, { which }) => stage.runShard(busiest(stage, which)),
  },
  'settings changed': {
    fits: always,
    async act({ world, setSecret }, { size, which }) {
      const { concurrency = 10 } = world.consumer;
      setSecret({
        consumer: { concurrency: Math.ceil(Number(concurrency) * size), batchSize: between(which, 10, 200) },
      });
    },
  },
  'secret broken': {
    fits: always,
    allows: { redisFails: true, unseen: true },
    async act({ setSecret }, { size }) {
      setSecret({ consumer: { concurrency: 'many' } });
      await sleep(between(size, 200, 2000));
      setSecret({ consumer: {} });
    },
  },
};

/** Packets are lost on these links now and then, and sent again; something else happens as often. */
async function losePackets(
  links: readonly TcpProxy[],
  { seed, linkMs }: World,
  { size, which }: Trouble,
  besides = () => {},
): Promise<void> {
  const random = Random.of(seed, 'packets', which);
  const isNow = () => random.happens(0.2);
  for (let left = between(size, 20, 100); left > 0; left--) {
    for (const link of links) link.delay(isNow() ? RETRANSMIT_MS : linkMs);
    if (isNow()) besides();
    await sleep(20);
  }
  for (const link of links) link.delay(linkMs);
}

export const troubleOf = (name: string): Kind => (TROUBLES[name] ?? RARE_TROUBLES[name])!;

/** What the troubles of a world allow together. */
export function allowanceOf({ troubles, target, share }: World): Allowance {
  const { loses, reset, hangs } = target.fails;
  // what is not over soon after a pause is given up, and made again
  const isLong = target.latencyMs >= LONG_MS || slownessOf(share) > 1;
  const isCutOff = loses + reset + hangs > 0 || (isLong && troubles.some(({ name }) => name === 'paused'));
  return allowAll({ repeats: isCutOff, unseen: isCutOff }, ...troubles.map(({ name }) => troubleOf(name).allows ?? {}));
}

/** All return the ids that a group from there on is given, or would be: trimmed ones are gone. */
const IDS_AFTER = `local function idsAfter(id, key)
  local ids = {}
  for _, entry in ipairs(redis.call('XRANGE', key or KEYS[1], '(' .. id, '+')) do ids[#ids + 1] = entry[1] end
  return ids
end`;
const ANEW = `${IDS_AFTER}
redis.pcall('XGROUP', 'DESTROY', KEYS[1], ARGV[1])
redis.call('XGROUP', 'CREATE', KEYS[1], ARGV[1], ARGV[2], 'MKSTREAM')
return idsAfter(ARGV[2])`;
const DELETE = `${IDS_AFTER}
local ids = idsAfter('0')
redis.call('DEL', KEYS[1])
return ids`;
/** Returns the ids of each stream. */
const FLUSH = `${IDS_AFTER}
local ids = {}
for at, key in ipairs(KEYS) do ids[at] = idsAfter('0', key) end
redis.call('FLUSHALL')
return ids`;
const DESTROY = `${IDS_AFTER}
return redis.pcall('XGROUP', 'DESTROY', KEYS[1], ARGV[1]) == 1 and idsAfter('0')`;

/** Sets the group to the n-th latest of its delivered entries, or to the beginning. */
const SET_BACK = `${IDS_AFTER}
for _, group in ipairs(redis.pcall('XINFO', 'GROUPS', KEYS[1])) do
  local info = {}
  for at = 1, #group, 2 do info[group[at]] = group[at + 1] end
  if info.name == ARGV[1] then
    local read = redis.call('XREVRANGE', KEYS[1], info['last-delivered-id'], '-', 'COUNT', ARGV[2])
    local position = #read == tonumber(ARGV[2]) and read[#read][1] or '0'
    redis.call('XGROUP', 'SETID', KEYS[1], ARGV[1], position)
    return idsAfter(position)
  end
end
return {}`;

/** These entries are deleted, and those that a producer is told of now. */
async function forget({ ledger }: Stage, stream: string, ids: readonly string[]): Promise<void> {
  const entries = () => ids.map((id) => ledger.entryAt(stream, id));
  for (let ms = 0; ms < NAMED_MS && entries().includes(undefined); ms += 20) await sleep(20);
  for (const entry of entries()) if (entry) ledger.delete(entry.n);
}

/** An entry of a stream near the last delivered one: before it at 0, after it at 1. */
async function entryNear(stage: Stage, stream: string, share: number): Promise<Entry | undefined> {
  const shard = (await stage.snapshots([stream]))[0]!;
  const entries = stage.ledger.ofStream(stream);
  const index = entries.findIndex(({ id }) => id === shard.lastDeliveredId);
  const span = Math.min(20, entries.length);
  return entries[Math.max(0, Math.min(entries.length - 1, index + between(share, -span, span)))];
}

/** A shard with entries; those with more come oftener. */
function busiest({ ledger, shards }: Stage, which: number): string {
  const entries = [...ledger.entries.values()].filter(({ stream }) => shards.includes(stream));
  return entries.length === 0 ? shards[0]! : pick(which, entries).stream;
}
