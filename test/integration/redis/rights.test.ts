import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { registry } from '../../../functions/registry.ts';
import { startFixture, type Fixture } from '../../support/stream/stream-fixture.ts';

/* The table of docs/redis.md: with these rights a call succeeds, and without any one of them it is a 502 that names it. */

const page = readFileSync('docs/redis.md', 'utf8');
const rows = [...page.matchAll(/^\| (`stream-x[^|]*) \| ((?:`\+[^`]+`(?:, )?)+) \|$/gm)].map(
  ([, call, rights]) => [call!.replaceAll('`', ''), rights!.replaceAll(/[`\\]/g, '').split(', ')] as const,
);

const key = 'orders:rights';
const group = { key, group: 'g' };
const member = { group: 'g', consumer: 'c' };
const claim = { ...group, consumer: 'c', minIdleMs: 0 };
const at = (id: string) => ({ streamWatermarks: [{ key, id }] });

/** A call for each row of the table; `wait` stands for time that it must be given to come to its last command. */
const CALLS: Record<string, [operation: string, parameters: object]> = {
  'stream-xack': ['xack', { ...group, ids: ['1-0'] }],
  'stream-xackdel': ['xackdel', { ...group, ids: ['1-0'] }],
  'stream-xadd': ['xadd', { key, entry: { a: '1' } }],
  'stream-xadd-batch': ['xadd-batch', { key, entries: [{ a: '1' }] }],
  'stream-xautoclaim': ['xautoclaim', claim],
  'stream-xautoclaim with justId': ['xautoclaim', { ...claim, justId: true }],
  'stream-xclaim': ['xclaim', { ...claim, ids: ['1-0'] }],
  'stream-xclaim with justId': ['xclaim', { ...claim, ids: ['1-0'], justId: true }],
  'stream-xdel': ['xdel', { key, ids: ['1-0'] }],
  'stream-xdelex': ['xdelex', { key, ids: ['1-0'] }],
  'stream-xgroup-create': ['xgroup-create', { key, group: 'new', mkstream: true }],
  'stream-xgroup-createconsumer': ['xgroup-createconsumer', { ...group, consumer: 'd' }],
  'stream-xgroup-delconsumer': ['xgroup-delconsumer', { ...group, consumer: 'd' }],
  'stream-xgroup-destroy': ['xgroup-destroy', group],
  'stream-xgroup-setid': ['xgroup-setid', { ...group, lastEntryId: '0' }],
  'stream-xinfo-consumers': ['xinfo-consumers', group],
  'stream-xinfo-groups': ['xinfo-groups', { key }],
  'stream-xinfo-stream': ['xinfo-stream', { key }],
  'stream-xlen': ['xlen', { key }],
  'stream-xpending': ['xpending', { ...group, start: '-', end: '+', count: 9 }],
  'stream-xrange': ['xrange', { key, start: '-', end: '+' }],
  'stream-xread': ['xread', at('0')],
  'stream-xread of more than 128 entries': ['xread', at('0')],
  'stream-xread with block and $': ['xread', { ...at('$'), block: 20 }],
  'stream-xreadgroup': ['xreadgroup', { ...member, ...at('>') }],
  'stream-xreadgroup with block': ['xreadgroup', { ...member, ...at('>'), block: 20 }],
  'stream-xreadgroup with claimMinIdleMs': ['xreadgroup', { ...member, ...at('>'), claimMinIdleMs: 0 }],
  'stream-xrevrange': ['xrevrange', { key }],
  'stream-xtrim': ['xtrim', { key, evictionOption: { maxLength: 1 } }],
};

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({
    ownRedis: true,
    secrets: (url) => ({ limited: { redis: { url: url.replace('//', '//limited:secret@') } } }),
  });
});
afterAll(() => fixture.stop());

/** What a call comes to as a user with these rights, and no others. */
async function callWith(call: string, rights: readonly string[]) {
  const entries = call === 'stream-xread of more than 128 entries' ? 200 : 2;
  const isDelivered = !call.startsWith('stream-xreadgroup') || call.includes('claimMinIdleMs');
  await fixture.redis('DEL', key);
  for (let id = 1; id <= entries; id++) await fixture.redis('XADD', key, `${id}-0`, 'a', 'b');
  await fixture.redis('XGROUP', 'CREATE', key, 'g', call.includes('with block') ? '$' : '0');
  await fixture.redis('XGROUP', 'CREATECONSUMER', key, 'g', 'd');
  if (isDelivered && !call.includes('block')) {
    await fixture.redis('XREADGROUP', 'GROUP', 'g', 'd', 'STREAMS', key, '>');
    await fixture.redis('XADD', key, '*', 'a', 'new');
  }
  await fixture.redis('ACL', 'SETUSER', 'limited', 'reset', 'on', '>secret', '~orders*', '+ping', ...rights);
  const [operation, parameters] = CALLS[call]!;
  return fixture.call('HTTP', operation, { configRef: 'limited', ...parameters });
}

it('every stream command has a row', () => {
  const operations = registry.map(({ name }) => name).filter((name) => name.startsWith('stream-x'));

  expect(rows.map(([call]) => call)).toEqual(Object.keys(CALLS));
  expect([...new Set(rows.map(([call]) => call.split(' ')[0]!))].sort()).toEqual(operations.sort());
});

it('the users of the page have all of these rights', () => {
  const users = ['streams', 'functions'].map((user) =>
    [...page.matchAll(new RegExp(`^ACL SETUSER ${user} .*$`, 'gm'))].join(' ').split(' '),
  );

  for (const [, rights] of rows) expect(users[0]).toEqual(expect.arrayContaining([...rights]));
  const newer = ['+xackdel', '+xdelex']; // which not every server knows
  for (const [, rights] of rows) {
    expect(users[1]).toEqual(expect.arrayContaining(rights.filter((right) => !newer.includes(right))));
  }
});

describe.each(rows)('%s', (call, rights) => {
  it('needs no more than its rights', async () => {
    const { status, error } = await callWith(call, rights).catch(unknownCommand);

    if (error && /needs Redis 8\.\d/.test(error.message)) return; // the server lacks it
    expect({ status, error }).toEqual({ status: status === 204 ? 204 : 200 });
  });

  it.each(rights)('is a 502 without %s, which it names', async (missing) => {
    const rest = rights.filter((right) => right !== missing);
    const { status, error } = await callWith(call, rest).catch(unknownCommand);

    if (error && /needs Redis 8\.\d/.test(error.message)) return;
    expect(status).toBe(502);
    expect(error).toMatchObject({ type: 'STREAM:COMMAND' });
    expect(error!.message).toContain(missing.slice(1));
    expect(error!.message).not.toMatch(/user_script|[0-9a-f]{40}/);
  });
});

/** An older server knows no right of a newer command. */
function unknownCommand(error: Error) {
  if (!/Unknown command/.test(error.message)) throw error;
  return { status: 422, error: { type: 'STREAM:COMMAND', message: 'needs Redis 8.2' } };
}
