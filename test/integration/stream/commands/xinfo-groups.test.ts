import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WAYS } from '../../../support/stream/call-stream.ts';
import { startFixture, type Fixture } from '../../../support/stream/stream-fixture.ts';

let fixture: Fixture;
beforeAll(async () => (fixture = await startFixture()));
afterAll(() => fixture.stop());

describe.each(WAYS)('stream-xinfo-groups by %s', (way) => {
  const groups = (parameters: object) => fixture.call(way, 'xinfo-groups', parameters);

  it('lists the groups of a stream', async () => {
    const key = fixture.key();
    for (const id of ['1', '2', '3']) await fixture.redis('XADD', key, id, 'a', id);
    await fixture.redis('XGROUP', 'CREATE', key, 'first', '0');
    await fixture.redis('XGROUP', 'CREATE', key, 'second', '2');
    await fixture.redis('XREADGROUP', 'GROUP', 'first', 'c', 'COUNT', '2', 'STREAMS', key, '>');

    const { output } = await groups({ key });

    expect(output).toEqual([
      { name: 'first', consumers: 1, pending: 2, 'last-delivered-id': '2-0', 'entries-read': 2, lag: 1 },
      { name: 'second', consumers: 0, pending: 0, 'last-delivered-id': '2-0', 'entries-read': null, lag: null },
    ]);
  });

  it('keeps 64 bits exact', async () => {
    const key = fixture.key();
    await fixture.redis(
      'XGROUP',
      'CREATE',
      key,
      '7',
      '9007199254740993-5',
      'MKSTREAM',
      'ENTRIESREAD',
      '9007199254740993',
    );

    const { output } = await groups({ key });

    // Redis 8.6 takes no more entries as read than were added
    expect(JSON.stringify(output)).toMatch(
      /"last-delivered-id":"9007199254740993-5","entries-read":(9007199254740993|0),/,
    );
    expect(JSON.stringify(output)).toContain('"name":"7"');
  });

  it('answers an empty list for a stream without groups', async () => {
    const key = fixture.key();
    await fixture.redis('XADD', key, '1', 'a', '1');

    expect((await groups({ key })).output).toEqual([]);
  });

  it('fails with 404 for an absent stream', async () => {
    const { status, error } = await groups({ key: fixture.key() });

    expect(error?.type).toBe('STREAM:COMMAND');
    expect(status).toBe(way === 'HTTP' ? 404 : undefined);
  });

  it.each([
    [{}, '/key is required'],
    [{ key: 5 }, '/key must be a string'],
    [{ key: '\udfff' }, '/key must be well-formed Unicode'],
  ])('refuses %j', async (parameters, message) => {
    const { error } = await groups(parameters);

    expect(error).toMatchObject({ type: 'STREAM:ARGUMENT', message });
  });
});
