import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WAYS } from '../../../support/stream/call-stream.ts';
import { startFixture, type Fixture } from '../../../support/stream/stream-fixture.ts';

let fixture: Fixture;
beforeAll(async () => (fixture = await startFixture()));
afterAll(() => fixture.stop());

describe.each(WAYS)('stream-xdel by %s', (way) => {
  const xdel = (parameters: object) => fixture.call(way, 'xdel', parameters);

  it('deletes entries, and counts them', async () => {
    const key = fixture.key();
    for (const id of ['1', '2', '3']) await fixture.redis('XADD', key, id, 'a', id);

    expect((await xdel({ key, ids: ['1-0', '3', '9-9'] })).output).toBe(2);
    expect(await fixture.redis('XRANGE', key, '-', '+')).toEqual([['2-0', ['a', '2']]]);
  });

  it('counts none in an absent stream', async () => {
    expect((await xdel({ key: fixture.key(), ids: ['1-0'] })).output).toBe(0);
  });

  it('refuses an id beyond 64 bits', async () => {
    const key = fixture.key();
    await fixture.redis('XADD', key, '1', 'a', '1');

    const { error } = await xdel({ key, ids: ['1-18446744073709551616'] });

    expect(error?.type).toBe('STREAM:ARGUMENT');
  });

  it.each([
    [{ ids: [] }, '/ids must'],
    [{ ids: ['1-0', '-'] }, '/ids/1 must be an entry id, <milliseconds>-<sequence>'],
    [{}, '/ids is required'],
  ])('refuses %j', async (parameters, message) => {
    const { error } = await xdel({ key: fixture.key(), ...parameters });

    expect(error?.type).toBe('STREAM:ARGUMENT');
    expect(error?.message).toContain(message);
  });
});
