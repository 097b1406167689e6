import { expect, it } from '@jest/globals';
import { systemClock } from '#lib/consumer/clock.ts';
import type { Group } from '#lib/consumer/group/group.ts';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { RedisGroup } from '#lib/consumer/group/redis-group.ts';
import { ConsumerFixture } from '../../support/consumer/consumer-fixture.ts';
import { MemoryGroup, MemoryStream } from '../../support/consumer/memory-group.ts';
import { use } from '../../support/jest/use.ts';

/*
 * What is proven on the group in memory holds for the one on Redis as far as both do the same: each step is done to
 * both, and what comes back is compared. Ids are compared by the place of their entry.
 */

const fixture = await use(ConsumerFixture.open());
fixture.stream = 'same';

interface Pair {
  group: Group;
  rival: Group;
  ids: string[];
}

async function openRedisPair(): Promise<Pair> {
  const ids = [];
  for (let n = 0; n < 6; n++) ids.push((await fixture.add(`k=${n}`))[0]!);
  await fixture.send('XGROUP', 'CREATE', 'same', 'g', '0');
  const deadLetterStream = deadLetterStreamOf('same', 'g');
  const options = { stream: 'same', group: 'g', leaseMs: 5000, startId: '0', deadLetterStream, keyFields: ['k'] };
  const open = (run: string) => new RedisGroup(fixture.redis, { ...options, run, isolatedEntries: new Map() });
  return { group: open('one'), rival: open('other'), ids };
}

function openMemoryPair(): Pair {
  const stream = new MemoryStream();
  const ids = Array.from({ length: 6 }, (_, n) => stream.add(0, 'k', 'k', 'v', String(n)));
  const open = (run: string) => {
    return new MemoryGroup(stream, systemClock, 5000, async (work) => work(), { keyFields: ['k'], run });
  };
  return { group: open('one'), rival: open('other'), ids };
}

/** Does everything that a run does to a group, and notes what came of it. */
async function exercise({ group, rival, ids }: Pair): Promise<unknown[]> {
  const notes: unknown[] = [];
  const indexOf = (id: string) => ids.indexOf(id);
  const note = async (what: Promise<unknown>) => {
    const outcome = await what.catch((error: Error & { upstreamCode?: string }) => error.upstreamCode ?? error.name);
    notes.push(
      JSON.parse(
        JSON.stringify(outcome ?? null, (name, value: unknown) =>
          name === 'id' || name === 'oldestId' || name === 'unreadId'
            ? indexOf(value as string)
            : name === 'idleMs' || name === 'bytes' || name === 'notes'
              ? undefined
              : value,
        ),
      ),
    );
  };
  const some = (...places: number[]) => places.map((index) => ids[index]!);
  const letter = { reason: 'r', errorType: 't', deliveries: 1, time: 0 };

  const leaving = (...places: number[]) =>
    some(...places).map((id) => ({ id, hasState: true, keyQueue: { key: 'k' } }));
  const drained = { isDrained: true, restMs: 0 };

  await note(group.read(1)); // no lease yet
  await note(group.readStatus());
  await note(group.acquire());
  await note(rival.readStatus());
  await note(rival.acquire());
  await note(rival.renew());
  await note(rival.read(1));
  await note(group.create());
  await note(group.read(4));
  await note(group.release(drained)); // two entries are unread
  await note(group.listPending('0-0', 10, 1e6));
  await note(group.listPending(ids[1]!, 1, 1e6));
  await note(group.claim(some(0, 1, 5)));
  await note(rival.claim(some(0)));
  await note(group.ack(leaving(3)));
  await note(group.restore(some(3)));
  await note(rival.restore(some(3)));
  await note(group.giveBack(some(1, 2), 0));
  await note(rival.giveBack(some(1), 0));
  await note(group.fail([{ id: ids[1]!, entryFailures: 1, targetFailures: 2, dueAt: 3 }]));
  await note(rival.fail([{ id: ids[2]!, entryFailures: 1, targetFailures: 2, dueAt: 3 }]));
  await note(group.claim(some(2), { isIsolated: true }));
  await note(group.listPending('0-0', 10, 1e6));
  await note(group.survived(ids[2]!));
  await note(group.listPending('0-0', 10, 1e6));
  await note(group.ack(leaving(0, 5)));
  await note(group.forgetDeleted(some(4)));
  await note(rival.ack(leaving(0)));
  await note(group.bury([{ letter: { ...letter, sourceId: ids[1]! }, key: 'k' }]));
  await note(group.bury([{ letter: { ...letter, sourceId: ids[1]! }, key: 'k' }]));
  await note(rival.bury([{ letter: { ...letter, sourceId: ids[2]! }, key: 'k' }]));
  await note(group.claim(some(2), { isIsolated: true }));
  await note(group.ask(1)); // a run does not ask itself
  await note(rival.ask(3));
  await note(group.renew());
  await note(group.readStatus());
  await note(rival.readStatus());
  await note(group.withdraw()); // it has not asked
  await note(group.renew());
  await note(group.setLevel(3));
  await note(rival.setLevel(2));
  await note(group.renew());
  await note(rival.startRest(60_000));
  await note(group.read(10));
  await note(group.read(10));
  await note(rival.release({ isDrained: false, restMs: 60_000 }));
  await note(rival.acquire());
  await note(group.release(drained));
  await note(rival.readStatus());
  await note(rival.acquire()); // what was alone has crashed
  await note(rival.listPending('0-0', 10, 1e6));
  await note(rival.release({ isDrained: false, restMs: 60_000 }));
  await note(group.readStatus());
  await note(group.acquire());
  return notes;
}

it('the in-memory group behaves as the group on Redis does', async () => {
  const onRedis = await exercise(await openRedisPair());
  const inMemory = await exercise(openMemoryPair());

  expect(inMemory).toEqual(onRedis);
  const [refused, , acquired, , held, lost, refusedToo] = onRedis;
  expect([refused, lost, refusedToo]).toEqual(['NOGROUP', { result: 'lost' }, 'NOGROUP']);
  expect([acquired, held]).toEqual([
    { result: 'acquired', level: 0, hasGroup: true, firstRead: { count: 6 } },
    { result: 'held', level: 0, hasGroup: false, firstRead: { count: 0 } },
  ]);
});
