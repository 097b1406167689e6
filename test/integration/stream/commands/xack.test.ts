import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WAYS } from '../../../support/stream/call-stream.ts';
import { startFixture, type Fixture } from '../../../support/stream/stream-fixture.ts';

let fixture: Fixture;
beforeAll(async () => (fixture = await startFixture()));
afterAll(() => fixture.stop());

describe.each(WAYS)('stream-xack by %s', (way) => {
  const xack = (parameters: object) => fixture.call(way, 'xack', { group: 'g', ...parameters });
  const delivered = async (ids: string[]) => {
    const key = fixture.key();
    await fixture.redis('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');
    for (const id of ids) await fixture.redis('XADD', key, id, 'a', id);
    await fixture.redis('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', key, '>');
    return key;
  };

  it('acknowledges what is pending, and counts it', async () => {
    const key = await delivered(['1', '2', '3']);

    expect((await xack({ key, ids: ['1-0', '3', '9-9'] })).output).toBe(2);
    expect((await xack({ key, ids: ['1-0'] })).output).toBe(0);
    expect(await fixture.redis('XPENDING', key, 'g')).toEqual([1, '2-0', '2-0', [['c', '1']]]);
  });

  it('counts none where there is no stream, or no group', async () => {
    const key = await delivered(['1']);

    expect((await xack({ key: fixture.key(), ids: ['1-0'] })).output).toBe(0);
    expect((await xack({ key, group: 'other', ids: ['1-0'] })).output).toBe(0);
  });

  it('refuses an id beyond 64 bits', async () => {
    const { error } = await xack({ key: await delivered(['1']), ids: ['18446744073709551616'] });

    expect(error?.type).toBe('STREAM:ARGUMENT');
  });

  it.each([
    [{ ids: [] }, '/ids must'],
    [{ ids: ['*'] }, '/ids/0 must be an entry id, <milliseconds>-<sequence>'],
    [{ ids: '1-0' }, '/ids must be array'],
    [{ ids: ['1'], group: 1 }, '/group must be a string'],
    [{}, '/ids is required'],
  ])('refuses %j', async (parameters, message) => {
    const { error } = await xack({ key: fixture.key(), ...parameters });

    expect(error?.type).toBe('STREAM:ARGUMENT');
    expect(error?.message).toContain(message);
  });
});
