import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WAYS } from '../../../support/stream/call-stream.ts';
import { startFixture, type Fixture } from '../../../support/stream/stream-fixture.ts';

let fixture: Fixture;
beforeAll(async () => (fixture = await startFixture()));
afterAll(() => fixture.stop());

describe.each(WAYS)('stream-xgroup-destroy by %s', (way) => {
  const destroy = (parameters: object) => fixture.call(way, 'xgroup-destroy', parameters);

  it('destroys a group, and returns whether it existed', async () => {
    const key = fixture.key();
    await fixture.redis('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');

    expect((await destroy({ key, group: 'g' })).output).toBe(true);
    expect((await destroy({ key, group: 'g' })).output).toBe(false);
    expect(await fixture.redis('XINFO', 'GROUPS', key)).toEqual([]);
  });

  it('answers false for an absent stream', async () => {
    expect((await destroy({ key: fixture.key(), group: 'g' })).output).toBe(false);
  });

  it.each([
    [{ group: 1 }, '/group must be a string'],
    [{ group: 'g', mkstream: true }, '/mkstream is not known'],
    [{}, '/group is required'],
  ])('refuses %j', async (parameters, message) => {
    const { error } = await destroy({ key: fixture.key(), ...parameters });

    expect(error?.type).toBe('STREAM:ARGUMENT');
    expect(error?.message).toContain(message);
  });
});
