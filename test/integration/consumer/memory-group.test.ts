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
  const open = () => new RedisGroup(fixture.redis, { ...options, triedAlone: new Map() });
  return { group: open(), rival: open(), ids };
}

function openMemoryPair(): Pair {
  const stream = new MemoryStream();
  const ids = Array.from({ length: 6 }, (_, n) => stream.add(0, 'k', 'k', 'v', String(n)));
  const open = () => new MemoryGroup(stream, systemClock, 5000, async (work) => work(), ['k']);
  return { group: open(), rival: open(), ids };
}

/** Does everything that a run does to a group, and notes what came of it. */
async function exercise({ group, rival, ids }: Pair): Promise<unknown[]> {
  const notes: unknown[] = [];
  const place = (id: string) => ids.indexOf(id);
  const note = async (what: Promise<unknown>) => {
    const outcome = await what.catch((error: Error & { upstreamCode?: string }) => error.upstreamCode ?? error.name);
    notes.push(JSON.parse(JSON.stringify(outcome ?? null, (name, value: unknown) => (name === 'id' || name === 'oldestId' || name === 'unreadId' ? place(value as string) : name === 'idleMs' || name === 'bytes' ? undefined : value)))); // prettier-ignore
  };
  const some = (...places: number[]) => places.map((at) => ids[at]!);
  const letter = { reason: 'r', errorType: 't', deliveries: 1, time: 0 };

  const leaving = (...places: number[]) =>
    some(...places).map((id) => ({ id, hasState: true, keyQueue: { key: 'k' } }));
  const drained = { isDrained: true, restMs: 0 };

  await note(group.read(1)); // no lease yet
  await note(group.look());
  await note(group.acquire());
  await note(rival.look());
  await note(rival.acquire());
  await note(rival.renew());
  await note(rival.read(1));
  await note(group.create());
  await note(group.read(4));
  await note(group.release(drained)); // two entries are unread
  await note(group.lookUp('0-0', 10, 1e6));
  await note(group.lookUp(ids[1]!, 1, 1e6));
  await note(group.claim(some(0, 1, 5)));
  await note(rival.claim(some(0)));
  await note(group.giveBack(some(1, 2), 0));
  await note(rival.giveBack(some(1), 0));
  await note(group.fail([{ id: ids[1]!, own: 1, outages: 2, dueAt: 3 }]));
  await note(rival.fail([{ id: ids[2]!, own: 1, outages: 2, dueAt: 3 }]));
  await note(group.claim(some(2), { isAlone: true }));
  await note(group.lookUp('0-0', 10, 1e6));
  await note(group.survived(ids[2]!));
  await note(group.lookUp('0-0', 10, 1e6));
  await note(group.ack(leaving(0, 5)));
  await note(group.forgetDeleted(some(4)));
  await note(rival.ack(leaving(0)));
  await note(group.bury([{ letter: { ...letter, sourceId: ids[1]! }, key: 'k' }]));
  await note(group.bury([{ letter: { ...letter, sourceId: ids[1]! }, key: 'k' }]));
  await note(rival.bury([{ letter: { ...letter, sourceId: ids[2]! }, key: 'k' }]));
  await note(group.claim(some(2), { isAlone: true }));
  await note(group.setLevel(3));
  await note(rival.setLevel(2));
  await note(group.renew());
  await note(rival.rest(60_000));
  await note(group.read(10));
  await note(group.read(10));
  await note(rival.release({ isDrained: false, restMs: 60_000 }));
  await note(rival.acquire());
  await note(group.release(drained));
  await note(rival.look());
  await note(rival.acquire()); // what was alone has crashed
  await note(rival.lookUp('0-0', 10, 1e6));
  await note(rival.release({ isDrained: false, restMs: 60_000 }));
  await note(group.look());
  await note(group.acquire());
  return notes;
}

it('the group in memory does what the group on Redis does', async () => {
  const onRedis = await exercise(await openRedisPair());
  const inMemory = await exercise(openMemoryPair());

  expect(inMemory).toEqual(onRedis);
  const [refused, , acquired, , held, lost, refusedToo] = onRedis;
  expect([refused, lost, refusedToo]).toEqual(['NOGROUP', 'lost', 'NOGROUP']);
  expect([acquired, held]).toEqual([
    { outcome: 'acquired', level: 0, hasGroup: true, firstRead: 6 },
    { outcome: 'held', level: 0, hasGroup: false, firstRead: 0 },
  ]);
});
