import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WAYS } from '../support/call-stream.ts';
import { setStage, type Stage } from '../support/stream-stage.ts';

let stage: Stage;
beforeAll(async () => (stage = await setStage()));
afterAll(() => stage.stop());

describe.each(WAYS)('stream-xgroup-destroy by %s', (way) => {
  const destroy = (parameters: object) => stage.call(way, 'xgroup-destroy', parameters);

  it('destroys a group, and tells whether it existed', async () => {
    const key = stage.key();
    await stage.redis('XGROUP', 'CREATE', key, 'g', '0', 'MKSTREAM');

    expect((await destroy({ key, group: 'g' })).output).toBe(true);
    expect((await destroy({ key, group: 'g' })).output).toBe(false);
    expect(await stage.redis('XINFO', 'GROUPS', key)).toEqual([]);
  });

  it('answers false for an absent stream', async () => {
    expect((await destroy({ key: stage.key(), group: 'g' })).output).toBe(false);
  });

  it.each([
    [{ group: '' }, '/group must be text, not empty'],
    [{ group: 'g', mkstream: true }, '/mkstream is not known'],
    [{}, '/group is required'],
  ])('refuses %j', async (parameters, message) => {
    const { error } = await destroy({ key: stage.key(), ...parameters });

    expect(error?.type).toBe('STREAM:ARGUMENT');
    expect(error?.message).toContain(message);
  });
});
