import { setTimeout as sleep } from 'node:timers/promises';
import { slotOf } from '#lib/redis/slot.ts';
import { moveSlot, PASSWORD, startRedisCluster } from '../support/redis/redis-cluster.ts';
import { startRedisSentinel } from '../support/redis/redis-sentinel.ts';
import type { RedisServer } from '#sandbox/redis/redis-server.ts';
import { GROUP, STREAM } from './entries.ts';
import { NO_FAULTS } from './ledger-mdm.ts';
import { onOneServer, play, repeatedly, type Scenario } from './play.ts';
import { poisonScenarios } from './poison.ts';
import { Random } from '#test/support/random.ts';
import { World } from './world.ts';

const FIRST = `${STREAM}:0`;

export const scenarios: Record<string, Scenario> = {
  'container killed': onOneServer(
    { workers: 2, consumer: { maxDeliveries: 3 } },
    async ({ world, size }) => {
      await repeatedly(world, size.strikes, async () => {
        await sleep(world.random.between(0, 40));
        await world.kill();
      });
      return {};
    },
    ({ strikes }) => ({ runs: 20 + 2 * strikes, attempts: 2 }),
  ),

  'redis killed and restarted': onOneServer(
    {},
    async ({ world, size, server }) => {
      await repeatedly(world, size.strikes / 5, async () => {
        await server.kill();
        await sleep(world.random.between(0, 1500));
        await server.start();
      });
      return {};
    },
    ({ strikes }) => ({ runs: 20 + 2 * strikes, attempts: 1.5 }),
  ),

  'redis failover': async ({ seed, entries, keys }) => {
    const redis = await startRedisSentinel();
    let { port } = redis.master;
    const { url, nodes, name: sentinelName } = redis;
    const redisSecret = { mode: 'sentinel', url, nodes, sentinelName, commandTimeoutMs: 1000 };
    const random = new Random(seed);
    const world = await World.open({ entries, keys, shards: 1, redisSecret, random, port: () => port });
    const strike = async () => {
      await world.send('WAIT', '1', '5000');
      await world.moreTaken(entries / 4);
      await redis.master.kill();
      port = redis.replica.port;
      return { rewinds: 1 }; // acknowledgements that had not reached the replica are lost
    };
    try {
      return await play(world, strike, { runs: 60, attempts: 2 });
    } finally {
      await world.close();
      await redis.stop();
    }
  },

  // while a slot is on its way, what names several of its keys is answered by TRYAGAIN
  'slot of a cluster moved': async ({ seed, entries, keys, strikes }) => {
    const redis = await startRedisCluster();
    const [, second, third] = redis.masters as [RedisServer, RedisServer, RedisServer];
    const slot = slotOf(FIRST);
    let owner = await moveSlot(slot, second, third);
    const random = new Random(seed);
    const redisSecret = { mode: 'cluster', nodes: redis.nodes, commandTimeoutMs: 1000 };
    const options = {
      ...{ entries, keys, shards: 1, redisSecret, random },
      consumer: { maxDeliveries: 3 },
      workers: 2,
    };
    const world = await World.open({ ...options, port: () => owner.port, login: `:${PASSWORD}@` });
    const strike = async () => {
      await repeatedly(world, strikes / 2, async () => {
        const pauseMs = random.happens(0.8) ? 30 : 700;
        owner = await moveSlot(slot, second, third, () => sleep(random.between(0, pauseMs)));
      });
      return {};
    };
    try {
      return await play(world, strike, { runs: 20 + 2 * strikes, attempts: 1.5 });
    } finally {
      await world.close();
      await redis.stop();
    }
  },

  ...poisonScenarios,

  'one key with most entries': onOneServer(
    ({ hotEntries }) => ({ hotEntries }),
    async ({ world, size }) => {
      const ms = await world.othersTaken(/^hot$/);
      const most = 10 + size.entries / 250 + size.hotEntries / 5000;
      if (ms > most * 1000) world.ledger.faults.push(`the others took ${ms} ms, at most ${most} s`);
      return false; // one after the other, they would take a quarter of an hour
    },
    ({ entries, hotEntries }) => ({ runs: 60, seconds: 30 + entries / 200 + hotEntries / 2500 }),
  ),

  'deadline in the middle, again and again': onOneServer(
    { invocationMs: 700 },
    async () => ({}),
    ({ entries }) => ({ runs: 10 + entries / 80, attempts: 1.2 }),
  ),

  'lease lost under a full buffer': onOneServer(
    { workers: 2 },
    async ({ world, size }) => {
      await repeatedly(world, size.strikes / 5, async () => {
        const keys = await world.send<string[]>('KEYS', `{${FIRST}}:*e*:*`);
        const held = keys.filter((key) => /:(lease|fence):/.test(key));
        if (held.length > 0) await world.send('DEL', ...held);
      });
      return {};
    },
    ({ strikes }) => ({ runs: 20 + strikes, attempts: 1.5 }),
  ),

  'network cut and stalled': onOneServer(
    { workers: 2 },
    async ({ world, size, proxy }) => {
      await repeatedly(world, size.strikes / 2, async () => {
        if (world.random.happens(0.5)) return proxy.cut();
        proxy.stall();
        await sleep(world.random.between(100, 1800));
        proxy.cut();
        proxy.pass();
      });
      return {};
    },
    ({ strikes }) => ({ runs: 20 + 3 * strikes, attempts: 1.5 }),
  ),

  'mdm failing': onOneServer(
    {},
    async ({ world }) => {
      world.mdm.faults = { refuses: 0.02, resets: 0.01, losesResponses: 0.01, hangs: 0.001 };
      await world.moreTaken(world.ledger.expected.length * 0.8);
      world.mdm.faults = NO_FAULTS;
      return {};
    },
    () => ({ runs: 60, attempts: 1.2 }),
  ),

  'password of the mdm changed': onOneServer(
    {},
    async ({ world, size }) => {
      await world.moreTaken(size.entries / 3);
      world.mdm.sessions.password = 'second';
      world.mdm.sessions.expireAll();
      await sleep(1500); // whoever changes it takes a while to change the secret
      world.setPassword('second');
      return {};
    },
    () => ({ logins: 1, refusedLogins: 2, attempts: 1.1 }),
  ),

  'woken under kills': onOneServer(
    { workers: 0, entries: 0, invocationMs: 20_000 },
    async ({ world, size }) => {
      const producer = await world.producer();
      const enqueuedAt: [string, Promise<number>][] = [];
      let lastKill = performance.now();
      const count = 300 + size.entries / 20;
      for (let at = 0; at < count; at++) {
        enqueuedAt.push([`key-${at}`, producer.enqueue(`key-${at}`, 1)]);
        await sleep(20);
        const isNearEnd = at > count - 100; // an entry that comes after the lease of a killed run wakes the next
        if (isNearEnd || performance.now() - lastKill < 2000) continue;
        await world.kill();
        lastKill = performance.now();
      }
      await Promise.all(enqueuedAt.map(([, enqueued]) => enqueued));
      await world.othersTaken(/^none/);
      for (const [key, enqueued] of enqueuedAt) {
        const waitedMs = (world.mdm.takenAt.get(key) ?? Infinity) - (await enqueued);
        // the lease of a run that was killed ends after a second, and the next entry wakes another
        if (waitedMs > 6000) world.ledger.faults.push(`${key} waited for ${Math.round(waitedMs)} ms`);
      }
      await producer.stop();
      return {};
    },
    ({ entries }) => ({ runs: 20 + entries / 1000, attempts: 1.5 }),
  ),

  'runs joining and leaving': onOneServer(
    ({ entries }) => ({ shards: 16, keys: 2000, entries: 2 * entries, invocationMs: 3000 }),
    async ({ world, size }) => {
      for (let strike = 0; strike < size.strikes && world.ledger.progress < 1 && !world.isLate; strike++) {
        world.containers.keep(world.random.between(1, 8));
        await sleep(world.random.between(200, 1500));
        if (world.random.happens(0.2)) await world.kill();
      }
      world.containers.keep(4);
      return {};
    },
    ({ strikes, entries }) => ({ runs: 60 + 8 * strikes + entries / 200, attempts: 1.3, seconds: 180 }),
  ),

  'stream trimmed': onOneServer(
    {},
    async ({ world, size }) => {
      let trimmedTo = '0-0';
      const { expected } = world.ledger;
      await repeatedly(world, size.strikes / 10, async () => {
        const [snapshot] = await world.snapshots();
        const at = expected.findIndex(({ id }) => id === snapshot!.lastDeliveredId) + world.random.between(-50, 20);
        trimmedTo = expected[Math.max(0, Math.min(at, expected.length - 1))]!.id;
        await world.send('XTRIM', FIRST, 'MINID', trimmedTo);
      });
      const last = expected.findIndex(({ id }) => id === trimmedTo);
      const gone = new Set(expected.slice(0, last).map(({ id }) => id));
      return { mayLose: (id) => gone.has(id) };
    },
    ({ strikes }) => ({ runs: 30 + strikes }),
  ),

  'group destroyed': onOneServer(
    {},
    async ({ world, size }) => {
      let rewinds = 0;
      await repeatedly(world, Math.min(3, size.strikes), async () => {
        await world.moreTaken(world.ledger.expected.length / 10);
        await world.send('XGROUP', 'DESTROY', FIRST, GROUP);
        rewinds++;
      });
      return { rewinds };
    },
    () => ({ runs: 30, attempts: 4.2 }), // each time the group begins anew
  ),

  // a request that the process had begun when it was paused is sent when it goes on: see docs/consumer.md
  'container paused past its lease': onOneServer(
    { workers: 2 },
    async ({ world, size }) => {
      let rewinds = 0;
      await repeatedly(world, size.strikes / 5, async () => {
        const [container] = world.containers.busy;
        container?.kill('SIGSTOP');
        await sleep(world.random.between(1200, 2500));
        container?.kill('SIGCONT');
        rewinds++;
      });
      return { rewinds };
    },
    ({ strikes }) => ({ runs: 30 + strikes, attempts: 1.2 }),
  ),

  'dead letters refused': onOneServer(
    {},
    async ({ world, size }) => {
      await repeatedly(world, size.strikes / 5, async () => {
        await world.send('CONFIG', 'SET', 'maxmemory', '1');
        await sleep(world.random.between(50, 300));
        await world.send('CONFIG', 'SET', 'maxmemory', '0');
      });
      return {};
    },
    ({ strikes }) => ({ runs: 30 + strikes, attempts: 1.2 }),
  ),
};
