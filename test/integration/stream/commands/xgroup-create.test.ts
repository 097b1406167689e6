import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WAYS } from '../../../support/stream/call-stream.ts';
import { startFixture, type Fixture } from '../../../support/stream/stream-fixture.ts';

let fixture: Fixture;
beforeAll(async () => (fixture = await startFixture()));
afterAll(() => fixture.stop());

describe.each(WAYS)('stream-xgroup-create by %s', (way) => {
  const create = (parameters: object) =>
    fixture.call(way, 'xgroup-create', { group: 'g', mkstream: false, ...parameters });
  const filled = async () => {
    const key = fixture.key();
    for (const id of ['1', '2']) await fixture.redis('XADD', key, id, 'a', id);
    return key;
  };
  const groupOf = async (key: string) => {
    const [pairs] = (await fixture.redis('XINFO', 'GROUPS', key)) as string[][];
    return { lastDeliveredId: pairs![7], entriesRead: pairs![9] };
  };

  it('creates a group at the end of the stream, and answers nothing', async () => {
    const key = await filled();

    const { status, output } = await create({ key });

    expect(output ?? null).toBeNull();
    expect(status).toBe(way === 'HTTP' ? 204 : undefined);
    expect(await groupOf(key)).toEqual({ lastDeliveredId: '2-0', entriesRead: null });
  });

  it.each([
    ['0', '0-0'],
    ['1', '1-0'],
    ['$', '2-0'],
    ['18446744073709551615-1', '18446744073709551615-1'],
  ])('starts after %s', async (lastEntryId, lastDeliveredId) => {
    const key = await filled();

    await create({ key, lastEntryId });

    expect((await groupOf(key)).lastDeliveredId).toBe(lastDeliveredId);
  });

  it.each([
    [0, 0],
    ['2', 2],
    [-1, null],
  ])('takes entriesRead %j', async (entriesRead, stored) => {
    const key = await filled();

    await create({ key, lastEntryId: '1', entriesRead });

    expect((await groupOf(key)).entriesRead).toBe(stored);
  });

  it('creates an absent stream with mkstream', async () => {
    const key = fixture.key();

    await create({ key, mkstream: true });

    expect(await fixture.redis('XLEN', key)).toBe(0);
    expect((await groupOf(key)).lastDeliveredId).toBe('0-0');
  });

  it('fails with 404 for an absent stream without mkstream', async () => {
    const { status, error } = await create({ key: fixture.key() });

    expect(error?.type).toBe('STREAM:COMMAND');
    expect(status).toBe(way === 'HTTP' ? 404 : undefined);
  });

  it('fails with 409 for a group that exists', async () => {
    const key = await filled();
    await create({ key });

    const { status, error } = await create({ key });

    expect(error?.type).toBe('STREAM:COMMAND');
    expect(error?.message).toMatch(/^BUSYGROUP/);
    expect(status).toBe(way === 'HTTP' ? 409 : undefined);
  });

  it.each([
    [{ mkstream: undefined }, '/mkstream is required'],
    [{ group: '' }, '/group must have at least 1 character'],
    [{ lastEntryId: 'MKSTREAM' }, '/lastEntryId must be $ or an entry id'],
    [{ lastEntryId: '>' }, '/lastEntryId must be $ or an entry id'],
    [{ entriesRead: -2 }, '/entriesRead must be an integer of at least -1'],
    [{ entriesRead: '9999999999999999999' }, 'not an integer or out of range'],
    [{ lastEntryId: '18446744073709551616', mkstream: true }, 'Invalid stream ID'],
  ])('refuses %j', async (parameters, message) => {
    const { error } = await create({ key: fixture.key(), ...parameters });

    expect(error?.type).toBe('STREAM:ARGUMENT');
    expect(error?.message).toContain(message);
  });
});
