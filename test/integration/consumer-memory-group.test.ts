import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '../../lib/consumer/clock.ts';
import type { Group } from '../../lib/consumer/group.ts';
import { deadLetterStreamOf } from '../../lib/consumer/names.ts';
import { RedisGroup } from '../../lib/consumer/redis-group.ts';
import { ConsumerFixture } from '../support/consumer-fixture.ts';
import { MemoryGroup, MemoryStream } from '../support/memory-group.ts';

/*
 * What is proven on the group in memory holds for the one on Redis as far as both do the same: each step is done to
 * both, and what comes back is compared. Ids are told by the place of their entry.
 */

let fixture: ConsumerFixture;
beforeAll(async () => {
  fixture = await ConsumerFixture.open();
  fixture.stream = 'same';
});
afterAll(() => fixture.close());

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
  const open = () => new RedisGroup(fixture.redis, { stream: 'same', group: 'g', leaseMs: 5000, startId: '0', deadLetterStream }); // prettier-ignore
  return { group: open(), rival: open(), ids };
}

function openMemoryPair(): Pair {
  const stream = new MemoryStream();
  const ids = Array.from({ length: 6 }, (_, n) => stream.add(0, 'k', 'k', 'v', String(n)));
  const open = () => new MemoryGroup(stream, systemClock, 5000, async (deed) => deed());
  return { group: open(), rival: open(), ids };
}

/** Does everything that a run does to a group, and notes what came of it. */
async function exercise({ group, rival, ids }: Pair): Promise<unknown[]> {
  const notes: unknown[] = [];
  const place = (id: string) => ids.indexOf(id);
  const note = async (what: Promise<unknown>) => {
    const outcome = await what.catch((error: Error & { upstreamCode?: string }) => error.upstreamCode ?? error.name);
    notes.push(JSON.parse(JSON.stringify(outcome ?? null, (name, value: unknown) => (name === 'id' || name === 'oldestId' ? place(value as string) : name === 'idleMs' ? undefined : value)))); // prettier-ignore
  };
  const some = (...places: number[]) => places.map((at) => ids[at]!);
  const letter = { reason: 'r', errorType: 't', deliveries: 1, time: 0 };

  await note(group.read(1)); // no lease yet
  await note(group.acquire());
  await note(rival.acquire());
  await note(rival.renew());
  await note(rival.read(1));
  await note(group.create());
  await note(group.read(4));
  await note(group.progress());
  await note(group.pendingAfter('0-0', 10));
  await note(group.pendingAfter(ids[1]!, 1));
  await note(group.peek(some(0, 2)));
  await note(group.claim(some(0, 1, 5), 'stream-consumer:alone:1'));
  await note(rival.claim(some(0), 'stream-consumer'));
  await note(group.giveBack(some(1, 2), 0, 0));
  await note(rival.giveBack(some(1), 0, 0));
  await note(group.pendingAfter('0-0', 10));
  await note(group.ack(some(0, 5)));
  await note(group.bury({ ...letter, sourceId: ids[1]! }));
  await note(group.bury({ ...letter, sourceId: ids[1]! }));
  await note(rival.bury({ ...letter, sourceId: ids[2]! }));
  await note(group.renew());
  await note(group.read(10));
  await note(group.read(10));
  await note(group.progress());
  await note(rival.release(60_000));
  await note(rival.acquire());
  await note(group.release(60_000));
  await note(rival.acquire());
  await note(group.read(1));
  return notes;
}

it('the group in memory does what the group on Redis does', async () => {
  const onRedis = await exercise(await openRedisPair());
  const inMemory = await exercise(openMemoryPair());

  expect(inMemory).toEqual(onRedis);
  expect(onRedis.slice(0, 5)).toEqual(['NOGROUP', 'acquired', 'held', false, 'NOGROUP']);
});
