import { describe, expect, it } from '@jest/globals';
import { WAYS } from '../../../support/stream/call-stream.ts';
import { startFixture } from '../../../support/stream/stream-fixture.ts';
import { use } from '../../../support/jest/use.ts';

/* What a server lacks is refused by name, and shown on those that have it. */

const fixture = await use(startFixture());
const knows = async (...words: string[]) => {
  const refusal = await fixture.redis(...words).catch((error: Error) => error.message);
  return !/unknown command|syntax error|Invalid stream ID/.test(String(refusal));
};
const key = fixture.key();
await fixture.redis('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');
/** Whether the server has the commands of Redis 8.2, the options of 8.4 and of 8.6. */
const has = {
  deletions: await knows('XDELEX', key, 'IDS', '1', '1-0'),
  claims: await knows('XREADGROUP', 'GROUP', 'g', 'c', 'CLAIM', '1', 'STREAMS', key, '>'),
  idempotency: await knows('XADD', key, 'IDMP', 'p', 'i', '*', 'a', '1'),
};

/** A group `g` of a stream of these entries, all of them pending for `one`. */
async function pending(...ids: string[]): Promise<string> {
  const key = fixture.key();
  await fixture.redis('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');
  for (const id of ids) await fixture.redis('XADD', key, id, 'a', id);
  await fixture.redis('XREADGROUP', 'GROUP', 'g', 'one', 'STREAMS', key, '>');
  return key;
}
const entryOf = (id: string) => ({ id, entry: { a: id } });

describe.each(WAYS)('by %s', (way) => {
  const call = (operation: string, parameters: object) => fixture.call(way, operation, parameters);
  const outputOf = async (operation: string, parameters: object) => {
    const { output, error } = await call(operation, parameters);
    expect(error).toBeUndefined();
    return output;
  };
  const refusedBy = (version: string) => ({
    ...(way === 'HTTP' ? { status: 422 } : {}),
    error: { type: 'STREAM:COMMAND', message: `This server lacks the command or option: it needs ${version} or newer` },
  });

  it('xack acknowledges what is pending, and counts it', async () => {
    const key = await pending('1-0', '2-0', '3-0');

    expect(await outputOf('xack', { key, group: 'g', ids: ['1-0', '3', '9-9'] })).toBe(2);
    expect(await outputOf('xack', { key, group: 'g', ids: ['1-0'] })).toBe(0);
    expect(await outputOf('xack', { key, group: 'other', ids: ['2-0'] })).toBe(0);
    expect(await fixture.redis('XPENDING', key, 'g')).toEqual([1, '2-0', '2-0', [['one', '1']]]);
  });

  it('xdel deletes entries, and counts them', async () => {
    const key = await pending('1-0', '2-0', '3-0');

    expect(await outputOf('xdel', { key, ids: ['1-0', '3', '9-9'] })).toBe(2);
    expect(await fixture.redis('XRANGE', key, '-', '+')).toEqual([['2-0', ['a', '2-0']]]);
  });

  it.each([
    ['xack', { group: 'g', ids: ['1-0'] }, 0],
    ['xdel', { ids: ['1-0'] }, 0],
    ['xtrim', { evictionOption: { maxLength: 1 } }, 0],
    ['xgroup-destroy', { group: 'g' }, false],
    ['xrange', { start: '-', end: '+' }, {}],
  ])('%s takes an absent stream for an empty one', async (operation, parameters, output) => {
    expect(await outputOf(operation, { key: fixture.key(), ...parameters })).toEqual(output);
  });

  it.each([
    [{ maxLength: 2 }, 3],
    [{ maxLength: '2', exactTrimming: true }, 3],
    [{ maxLength: 0 }, 5],
    [{ id: '4' }, 3],
    [{ id: '4-1', exactTrimming: true }, 4],
    [{ maxLength: 2, exactTrimming: false }, 0], // a node of 100 entries stays whole
    [{ id: '4', exactTrimming: false, limit: 1 }, 0],
  ])('xtrim trims by %j, and counts', async (evictionOption, deleted) => {
    const key = await pending('1-0', '2-0', '3-0', '4-0', '5-0');

    expect(await outputOf('xtrim', { key, evictionOption })).toBe(deleted);
    expect(await fixture.redis('XLEN', key)).toBe(5 - deleted);
  });

  it.each([
    [100, 100],
    ['200', 200],
    [0, 400], // no limit
  ])('xtrim removes with limit %j %i entries', async (limit, deleted) => {
    const key = await pending(...Array.from({ length: 500 }, (_, at) => `${at + 1}-0`));

    const evictionOption = { maxLength: 100, exactTrimming: false, limit };
    expect(await outputOf('xtrim', { key, evictionOption })).toBe(deleted);
  });

  it('xgroup-create creates a group at the end of the stream, and an absent stream with mkstream', async () => {
    const [key, absent] = [await pending('1-0', '2-0'), fixture.key()];

    expect(await outputOf('xgroup-create', { key, group: 'new', mkstream: false })).toBeNull();
    expect(await outputOf('xgroup-create', { key: absent, group: 'new', mkstream: true })).toBeNull();
    const groups = [await outputOf('xinfo-groups', { key }), await outputOf('xinfo-groups', { key: absent })];
    expect(groups).toMatchObject([[{}, { 'last-delivered-id': '2-0' }], [{ 'last-delivered-id': '0-0' }]]);
  });

  it.each([
    [{ lastEntryId: '0' }, { 'last-delivered-id': '0-0' }],
    [{ lastEntryId: '$' }, { 'last-delivered-id': '2-0' }],
    [{ lastEntryId: '18446744073709551615-1' }, { 'last-delivered-id': '18446744073709551615-1' }],
    [
      { lastEntryId: '1', entriesRead: 0 },
      { 'last-delivered-id': '1-0', 'entries-read': 0 },
    ],
    [{ lastEntryId: '1', entriesRead: '2' }, { 'entries-read': 2 }],
    [{ lastEntryId: '1', entriesRead: -1 }, { 'entries-read': null }],
  ])('xgroup-create starts where it is told: %j', async (parameters, group) => {
    const key = await pending('1-0', '2-0');

    await outputOf('xgroup-create', { key, group: 'new', mkstream: false, ...parameters });

    expect(await outputOf('xinfo-groups', { key })).toMatchObject([{}, group]);
  });

  it('xgroup-destroy returns whether the group existed', async () => {
    const key = await pending('1-0');

    expect(await outputOf('xgroup-destroy', { key, group: 'g' })).toBe(true);
    expect(await outputOf('xgroup-destroy', { key, group: 'g' })).toBe(false);
    expect(await outputOf('xinfo-groups', { key })).toEqual([]);
  });

  it('xinfo-groups lists the groups of a stream, with 64 bits exact', async () => {
    const key = await pending('1-0', '2-0');
    await fixture.redis('XADD', key, '3-0', 'a', '3');
    await fixture.redis('XGROUP', 'CREATE', key, '7', '9007199254740993-5', 'ENTRIESREAD', '9007199254740993');

    const output = await outputOf('xinfo-groups', { key });

    expect(output).toMatchObject([
      { name: '7', consumers: 0, pending: 0, 'last-delivered-id': '9007199254740993-5' },
      { name: 'g', consumers: 1, pending: 2, 'last-delivered-id': '2-0', 'entries-read': 2, lag: 1 },
    ]);
    // Redis 8.6 takes no more entries as read than were added
    expect(JSON.stringify(output)).toMatch(/"entries-read":(9007199254740993|3|0),/);
  });

  it('xlen counts, and finds nothing in an absent stream', async () => {
    expect(await outputOf('xlen', { key: await pending('1-0', '2-0') })).toBe(2);
    expect(await outputOf('xlen', { key: fixture.key() })).toBe(0);
  });

  it('xrevrange reads the newest first, between the same ends as xrange', async () => {
    const key = await pending('1-0', '2-0', '3-0');

    const all = await outputOf('xrevrange', { key });
    const some = await outputOf('xrevrange', { key, start: '(1-0', end: '3', count: 1 });

    expect(Object.entries(all as object)).toEqual(['3-0', '2-0', '1-0'].map((id) => [id, { a: id }]));
    expect(some).toEqual({ '3-0': { a: '3-0' } });
  });

  it('xpending gives a summary, or the entries of a range', async () => {
    const key = await pending('1-0', '2-0', '3-0');

    expect(await outputOf('xpending', { key, group: 'g' })).toEqual({
      count: 3,
      minId: '1-0',
      maxId: '3-0',
      consumers: [{ name: 'one', pending: 3 }],
    });
    const range = { key, group: 'g', start: '(1-0', end: '+', count: 1 };
    expect(await outputOf('xpending', { ...range, consumer: 'one', minIdleMs: 0 })).toEqual([
      { id: '2-0', consumer: 'one', idleMs: expect.any(Number), deliveries: 1 },
    ]);
    expect(await outputOf('xpending', { ...range, consumer: 'two' })).toEqual([]);
    expect(await outputOf('xpending', { ...range, minIdleMs: 60_000 })).toEqual([]);
  });

  it('xpending of nothing has no ids', async () => {
    const nothing = { count: 0, minId: null, maxId: null, consumers: [] };

    expect(await outputOf('xpending', { key: await pending(), group: 'g' })).toEqual(nothing);
  });

  it('xclaim takes over what is pending long enough, and leaves out the rest', async () => {
    const key = await pending('1-0', '2-0');
    await fixture.redis('XADD', key, '3-0', 'a', '3-0');
    const claim = { key, group: 'g', consumer: 'two', minIdleMs: 0, ids: ['1', '2-0', '3-0'] };

    expect(await outputOf('xclaim', { ...claim, minIdleMs: 60_000 })).toEqual([]);
    expect(await outputOf('xclaim', { ...claim, ids: ['1'], retryCount: 7 })).toEqual([entryOf('1-0')]);
    expect(await outputOf('xclaim', { ...claim, force: true, ids: ['3-0'] })).toEqual([entryOf('3-0')]);
    expect(await outputOf('xclaim', { ...claim, justId: true })).toEqual(['1-0', '2-0', '3-0']);
    expect(await fixture.redis('XPENDING', key, 'g', '1', '1', '1')).toEqual([['1-0', 'two', expect.anything(), 7]]);
  });

  it('xautoclaim takes over, says where to go on, and names what was deleted', async () => {
    const key = await pending('1-0', '2-0', '3-0');
    await fixture.redis('XDEL', key, '1-0');
    const claim = { key, group: 'g', consumer: 'two', minIdleMs: 0 };

    const first = await outputOf('xautoclaim', { ...claim, count: 2 });
    const rest = await outputOf('xautoclaim', { ...claim, start: (first as { next: string }).next, justId: true });

    expect(first).toEqual({ next: '3-0', entries: [entryOf('2-0')], deletedIds: ['1-0'] });
    expect(rest).toEqual({ next: '0-0', entries: ['3-0'], deletedIds: [] });
  });

  it('xinfo-stream has the first and the last entry, and numbers for what counts', async () => {
    const key = await pending('1-0', '9-0');

    expect(await outputOf('xinfo-stream', { key })).toMatchObject({
      length: 2,
      groups: 1,
      'last-generated-id': '9-0',
      'radix-tree-keys': 1,
      'first-entry': entryOf('1-0'),
      'last-entry': entryOf('9-0'),
    });
    await fixture.redis('XTRIM', key, 'MAXLEN', '0');
    expect(await outputOf('xinfo-stream', { key })).toMatchObject({ length: 0, 'first-entry': null });
  });

  it('xinfo-consumers lists the consumers', async () => {
    const key = await pending('1-0');

    const consumers = await outputOf('xinfo-consumers', { key, group: 'g' });

    expect(consumers).toEqual([expect.objectContaining({ name: 'one', pending: 1, idle: expect.any(Number) })]);
  });

  it('xgroup-setid moves a group', async () => {
    const key = await pending('1-0');

    expect(await outputOf('xgroup-setid', { key, group: 'g', lastEntryId: '0', entriesRead: 0 })).toBeNull();
    expect(await outputOf('xinfo-groups', { key })).toMatchObject([{ 'last-delivered-id': '0-0', lag: 1 }]);
  });

  it('xgroup-createconsumer and xgroup-delconsumer keep the consumers', async () => {
    const key = await pending('1-0');
    const consumer = { key, group: 'g', consumer: 'two' };

    expect(await outputOf('xgroup-createconsumer', consumer)).toBe(true);
    expect(await outputOf('xgroup-createconsumer', consumer)).toBe(false);
    expect(await outputOf('xgroup-delconsumer', consumer)).toBe(0);
    expect(await outputOf('xgroup-delconsumer', { ...consumer, consumer: 'one' })).toBe(1);
  });

  it('xdelex deletes with a say about references, on Redis 8.2 and newer', async () => {
    const key = await pending('1-0', '2-0');
    const deletion = { key, ids: ['1-0', '0-7'] };

    if (!has.deletions) return expect(await call('xdelex', deletion)).toEqual(refusedBy('Redis 8.2'));
    expect(await outputOf('xdelex', { ...deletion, references: 'acked' })).toEqual([
      { id: '1-0', result: 'referenced' },
      { id: '0-7', result: 'not-found' },
    ]);
    expect(await outputOf('xdelex', deletion)).toMatchObject([{ result: 'deleted' }, { result: 'not-found' }]);
  });

  it('xackdel acknowledges and deletes, on Redis 8.2 and newer', async () => {
    const key = await pending('1-0');
    const deletion = { key, group: 'g', ids: ['1-0'] };

    if (!has.deletions) return expect(await call('xackdel', deletion)).toEqual(refusedBy('Redis 8.2'));
    expect(await outputOf('xackdel', { ...deletion, references: 'delete' })).toEqual([
      { id: '1-0', result: 'deleted' },
    ]);
    expect(await outputOf('xlen', { key })).toBe(0);
  });

  it('xadd-batch adds all entries or none', async () => {
    const key = fixture.key();
    const entries = Array.from({ length: 1000 }, (_, at) => ({ n: String(at) }));

    expect(await outputOf('xadd-batch', { key, entries, noMkStream: true })).toBeNull();
    const ids = (await outputOf('xadd-batch', { key, entries })) as string[];
    const rest = await outputOf('xadd-batch', { key, entries, evictionOption: { maxLength: 3 } });

    expect(ids).toHaveLength(1000);
    expect(rest).toHaveLength(1000);
    expect(await outputOf('xlen', { key })).toBe(3);
    await fixture.redis('SET', `${key}text`, 'x');
    expect((await call('xadd-batch', { key: `${key}text`, entries })).error?.type).toBe('STREAM:WRONG_TYPE');
    await fixture.redis('DEL', `${key}text`);
  });

  it('xadd with an idempotency adds an entry once, on Redis 8.6 and newer', async () => {
    const add = { key: fixture.key(), entry: { a: '1' }, idempotency: { producer: 'p', id: 'order-1' } };

    if (!has.idempotency) return expect(await call('xadd', add)).toEqual(refusedBy('Redis 8.6'));
    const first = await outputOf('xadd', add);
    expect(await outputOf('xadd', add)).toBe(first);
    expect(await outputOf('xadd', { ...add, idempotency: { producer: 'q', id: 'order-1' } })).not.toBe(first);
    expect((await call('xadd', { ...add, id: '5-0' })).error?.message).toContain('must have id *');
  });

  it('xreadgroup claims what has been pending for long, before new entries, on Redis 8.4 and newer', async () => {
    const key = await pending('1-0', '2-0');
    await fixture.redis('XADD', key, '3-0', 'a', '3-0');
    const read = { group: 'g', consumer: 'two', claimMinIdleMs: 0, streamWatermarks: [{ key, id: '>' }] };

    if (!has.claims) return expect(await call('xreadgroup', read)).toEqual(refusedBy('Redis 8.4'));
    expect(await outputOf('xreadgroup', read)).toEqual({
      [key]: [
        { ...entryOf('1-0'), idleMs: expect.any(Number), deliveries: 1 },
        { ...entryOf('2-0'), idleMs: expect.any(Number), deliveries: 1 },
        { ...entryOf('3-0'), idleMs: 0, deliveries: 0 },
      ],
    });
  });
});
