import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { letterWords } from '../../../support/consumer/letter-words.ts';
import type { GroupStatus } from '#lib/contract/parameters/status.ts';
import { startFixture } from '#test/support/stream/stream-fixture.ts';
import { WAYS } from '#test/support/stream/call-stream.ts';
import { use } from '#test/support/jest/use.ts';

const REDIS_PAGE = new URL('../../../../docs/redis.md', import.meta.url);

const fixture = await use(
  startFixture({
    secrets: (url) => ({
      ingest: { redis: { url }, ingest: { stream: 'ingest', shards: 16, group: 'mdm' } },
      watcher: {
        redis: { url: url.replace('redis://', 'redis://watcher:password@') },
        ingest: { stream: 'ingest', shards: 2 },
      },
    }),
  }),
);
const [, watcher] = /^ACL SETUSER (watcher .*)$/m.exec(readFileSync(REDIS_PAGE, 'utf8'))!;
await fixture.redis('ACL', 'SETUSER', ...watcher!.split(' '));

async function status(parameters: object): Promise<GroupStatus[]> {
  const { output } = await fixture.call('direct invocation', 'status', parameters);
  return output as GroupStatus[];
}

/** A stream of five entries, some seconds old, of which the group has read two and acknowledged one. */
async function withBacklog(stream = fixture.key()) {
  for (const ageMs of [9000, 8000, 7000, 6000, 5000])
    await fixture.redis('XADD', stream, `${Date.now() - ageMs}-0`, 'a', '1');
  await fixture.redis('XGROUP', 'CREATE', stream, 'mdm', '0');
  const [[, read]] = (await fixture.redis(
    'XREADGROUP',
    'GROUP',
    'mdm',
    'stream-consumer',
    'COUNT',
    '2',
    'STREAMS',
    stream,
    '>',
  )) as [[string, [string][]]];
  await fixture.redis('XACK', stream, 'mdm', read[0]![0]);
  return stream;
}

function bury(stream: string, reason: string, origin = { stream, group: 'mdm' }, dead = `{${stream}}:dead:mdm`) {
  const letter = { sourceId: '1-0', reason, errorType: 'MDM:CLIENT_ERROR', deliveries: 1, time: 0 };
  return fixture.redis('XADD', dead, '*', 'a', '1', ...letterWords(origin, letter));
}

describe.each(WAYS)('stream-status by %s', (way) => {
  it.each(['1', 'by hand', '', '1e300'])('shows a manual pause of %j', async (value) => {
    const stream = await withBacklog();
    await fixture.redis('SET', `{${stream}}:pause:mdm`, value, 'PX', '60000');

    const { output } = await fixture.call(way, 'status', { stream, group: 'mdm' });

    const pausedUntil = value === '1' ? '1970-01-01T00:00:00.001Z' : null;
    expect(output).toMatchObject([{ stream, run: 'paused', pausedUntil }]);
  });

  it('shows that a group at the last possible id has nothing unread', async () => {
    const stream = await withBacklog();
    await fixture.redis('XGROUP', 'SETID', stream, 'mdm', '18446744073709551615-18446744073709551615');

    const { output } = await fixture.call(way, 'status', { stream, group: 'mdm' });

    expect(output).toMatchObject([{ stream, length: 5, pending: 1, oldestUnreadMs: null }]);
  });

  it("shows a group's backlog, ages, run, breaker and dead letters", async () => {
    const stream = await withBacklog();
    for (const reason of ['not JSON', 'not JSON', 'no record']) await bury(stream, reason);

    const { output } = await fixture.call(way, 'status', { stream, group: 'mdm' });

    expect(output).toEqual([
      {
        stream,
        group: 'mdm',
        groupExists: true,
        length: 5,
        lag: 3,
        pending: 1,
        run: 'idle',
        pausedUntil: null,
        lastFailure: null,
        nextTryAt: null,
        clockAheadMs: null,
        breaker: 'closed',
        restMs: 0,
        oldestPendingMs: expect.any(Number),
        oldestUnreadMs: expect.any(Number),
        ratePerSecond: null,
        deadLetters: [
          { errorType: 'MDM:CLIENT_ERROR', reason: 'not JSON', count: 2 },
          { errorType: 'MDM:CLIENT_ERROR', reason: 'no record', count: 1 },
        ],
      },
    ]);
    const [{ oldestPendingMs, oldestUnreadMs }] = output as [GroupStatus];
    expect(oldestPendingMs).toBeGreaterThanOrEqual(8000);
    expect(oldestUnreadMs).toBeGreaterThanOrEqual(7000);
    expect(oldestUnreadMs).toBeLessThan(oldestPendingMs!);
  });
});

describe('the state of runs', () => {
  it.each([
    ['a lease', ['SET', 'lease', 'token'], { run: 'active', breaker: 'closed' }],
    ['a rest of the target', ['SET', 'rest', '', 'PX', '60000'], { run: 'idle', breaker: 'open' }],
    ['a rate', ['HSET', 'rate', 'perSecond', '25'], { run: 'idle', ratePerSecond: 25 }],
    ['a breaker whose rest is over', ['HSET', 'state', 'level', '2'], { run: 'idle', breaker: 'half-open' }],
    ['a breaker that closed', ['HSET', 'state', 'level', '0'], { run: 'idle', breaker: 'closed', restMs: 0 }],
  ])('stream-status tells the state of a run from %s', async (_, [command, name, ...rest], expected) => {
    const stream = await withBacklog();
    await fixture.redis(command!, `{${stream}}:${name}:mdm`, ...rest);

    expect(await status({ stream, group: 'mdm' })).toMatchObject([expected]);
  });

  it('stream-status says that a shard is paused while its run still ends', async () => {
    const stream = await withBacklog();
    await fixture.redis('SET', `{${stream}}:lease:mdm`, 'token');
    await fixture.redis('SET', `{${stream}}:pause:mdm`, String(Date.now() + 60_000), 'PX', '60000');

    expect(await status({ stream, group: 'mdm' })).toMatchObject([{ run: 'paused' }]);
  });

  it('stream-status gives an entry with an id of the future the age 0', async () => {
    const stream = fixture.key();
    await fixture.redis('XADD', stream, `${Date.now() + 3_600_000}-0`, 'a', '1');

    expect(await status({ stream, group: 'mdm' })).toMatchObject([{ oldestUnreadMs: 0 }]);
  });

  it('stream-status gives the earliest time of the next try', async () => {
    const stream = await withBacklog();
    const state = (at: number) => `1,0,${at}`;
    await fixture.redis(
      'HSET',
      `{${stream}}:state:mdm`,
      'e:1-0',
      state(2_000_000_000_000),
      'e:2-0',
      state(1_900_000_000_000),
    );

    expect(await status({ stream, group: 'mdm' })).toMatchObject([
      { nextTryAt: new Date(1_900_000_000_000).toISOString() },
    ]);
  });

  it('a consumer stays paused until the time given to stream-pause, and continues when resumed', async () => {
    const stream = await withBacklog();
    const paused = await fixture.call('HTTP', 'pause', { stream, group: 'mdm', forMs: 60_000 });
    const { pausedUntil } = paused.output as { pausedUntil: string };

    expect(Date.parse(pausedUntil) - Date.now()).toBeGreaterThan(50_000);
    expect(await status({ stream, group: 'mdm' })).toMatchObject([{ run: 'paused', pausedUntil }]);

    const resumed = await fixture.call('direct invocation', 'pause', { stream, group: 'mdm', resume: true });

    expect(resumed.output).toEqual({ pausedUntil: null });
    expect(await status({ stream, group: 'mdm' })).toMatchObject([{ run: 'idle', pausedUntil: null }]);
  });
});

describe('stream-pause', () => {
  it.each([
    ['neither', {}],
    ['both', { forMs: 1000, resume: true }],
    ['more than seven days', { forMs: 604_800_001 }],
    ['no time', { forMs: 0 }],
    ['resume: false', { resume: false }],
  ])('stream-pause refuses %s', async (_, parameters) => {
    const outcome = await fixture.call('HTTP', 'pause', { stream: 'x', group: 'g', ...parameters });

    expect(outcome).toMatchObject({ status: 400, error: { type: 'STREAM:ARGUMENT' } });
  });

  it("stream-pause pauses all shards of the secret's ingest for the time given, and no other group", async () => {
    await fixture.call('direct invocation', 'pause', { configRef: 'ingest', forMs: 604_800_000 });

    const rows = await status({ configRef: 'ingest' });
    const other = await status({ configRef: 'ingest', group: 'audit' });

    expect(rows.map(({ run }) => run)).toEqual(Array.from({ length: 16 }, () => 'paused'));
    expect(other.map(({ run }) => run)).toEqual(Array.from({ length: 16 }, () => 'idle'));
    expect(await fixture.redis('PTTL', '{ingest:7}:pause:mdm')).toBeGreaterThan(604_700_000);
    await fixture.call('direct invocation', 'pause', { configRef: 'ingest', resume: true });
  });
});

describe('the shards that stream-status covers', () => {
  it("stream-status without parameters lists the secret's shards, including unwritten ones", async () => {
    await withBacklog('ingest:3');

    const rows = await status({ configRef: 'ingest' });

    expect(rows.map(({ stream }) => stream)).toEqual(Array.from({ length: 16 }, (_, shard) => `ingest:${shard}`));
    expect(rows[3]).toMatchObject({ group: 'mdm', length: 5, lag: 3, pending: 1 });
    expect(rows[4]).toMatchObject({ group: 'mdm', length: 0, lag: 0, pending: 0, oldestUnreadMs: null });
  });

  it('stream-status of a stream alone lists all its groups', async () => {
    const stream = await withBacklog();
    await fixture.redis('XGROUP', 'CREATE', stream, 'audit', '$');

    const rows = await status({ stream });

    expect(rows.map(({ group, lag }) => [group, lag])).toEqual([
      ['audit', 0],
      ['mdm', 3],
    ]);
  });

  it('stream-status counts a whole stream as unread if its group does not exist yet', async () => {
    const stream = await withBacklog();

    expect(await status({ stream, group: 'new' })).toMatchObject([
      {
        group: 'new',
        groupExists: false,
        lag: 5,
        pending: 0,
        oldestPendingMs: null,
        oldestUnreadMs: expect.any(Number),
      },
    ]);
  });

  it('stream-status is empty for a missing stream, and refuses a key of another type', async () => {
    const text = fixture.key();
    await fixture.redis('SET', text, 'x');

    expect(await status({ stream: fixture.key() })).toEqual([]);
    expect((await fixture.call('HTTP', 'status', { stream: text })).status).toBe(409);
  });
});

describe('dead letters in stream-status', () => {
  it('stream-status counts dead letters by reason, the rarest ones together', async () => {
    const stream = await withBacklog();
    const large = 'x'.repeat(1_000_000);
    const dead = `{${stream}}:dead:mdm`;
    await Promise.all(Array.from({ length: 60 }, () => fixture.redis('XADD', dead, '*', 'large', large)));
    await Promise.all(Array.from({ length: 3000 }, (_, index) => bury(stream, `reason ${index % 30}`)));

    const [row] = await status({ stream, group: 'mdm' });

    expect(row!.deadLetters).toHaveLength(21);
    expect(row!.deadLetters.reduce((sum, { count }) => sum + count, 0)).toBe(3060);
    expect(row!.deadLetters.at(-1)).toMatchObject({ reason: '(other reasons)', count: 1060 });
  });

  it("stream-status counts only the group's letters in a shared dead-letter stream", async () => {
    const [stream, other] = [await withBacklog(), fixture.key()];
    const dead = fixture.key('dead');
    await bury(stream, 'mine', { stream, group: 'mdm' }, dead);
    await bury(stream, 'of the other shard', { stream: other, group: 'mdm' }, dead);
    await bury(stream, 'of the other group', { stream, group: 'audit' }, dead);

    const [row] = await status({ stream, group: 'mdm', deadLetterStream: dead });

    expect(row!.deadLetters).toMatchObject([{ reason: 'mine', count: 1 }]);
  });
});

it('stream-status needs no more than the read-only user of docs/redis.md', async () => {
  await withBacklog('ingest:1');
  await bury('ingest:1', 'not JSON');

  const rows = await status({ configRef: 'watcher' });

  expect(rows[1]).toMatchObject({ stream: 'ingest:1', deadLetters: [{ count: 1 }] });
  expect((await fixture.call('HTTP', 'xadd', { configRef: 'watcher', key: 'k', entry: { a: '1' } })).status).toBe(502);
});
