import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WAYS } from '../../../support/stream/call-stream.ts';
import { startFixture, type Fixture } from '../../../support/stream/stream-fixture.ts';

let fixture: Fixture;
beforeAll(async () => (fixture = await startFixture()));
afterAll(() => fixture.stop());

describe.each(WAYS)('stream-xtrim by %s', (way) => {
  const xtrim = (parameters: object) => fixture.call(way, 'xtrim', parameters);
  const filled = async (length: number) => {
    const key = fixture.key();
    for (let at = 1; at <= length; at++) await fixture.redis('XADD', key, String(at), 'a', '1');
    return key;
  };

  it.each([
    [{ maxLength: 2 }, 3],
    [{ maxLength: '2', exactTrimming: true }, 3],
    [{ maxLength: 0 }, 5],
    [{ id: '4' }, 3],
    [{ id: '4-1', exactTrimming: true }, 4],
    [{ maxLength: 2, exactTrimming: false }, 0], // a node of 100 entries stays whole
    [{ id: '4', exactTrimming: false, limit: 1 }, 0],
  ])('trims by %j, and counts', async (evictionOption, deleted) => {
    const key = await filled(5);

    expect((await xtrim({ key, evictionOption })).output).toBe(deleted);
    expect(await fixture.redis('XLEN', key)).toBe(5 - deleted);
  });

  it.each([
    [100, 100],
    ['200', 200],
    [0, 400], // no limit
  ])('removes with limit %j %i entries', async (limit, deleted) => {
    const key = await filled(500);

    const { output } = await xtrim({ key, evictionOption: { maxLength: 100, exactTrimming: false, limit } });

    expect(output).toBe(deleted);
  });

  it('counts none in an absent stream', async () => {
    expect((await xtrim({ key: fixture.key(), evictionOption: { maxLength: 1 } })).output).toBe(0);
  });

  it.each([
    [undefined, '/evictionOption is required'],
    [{}, '/evictionOption must have either maxLength or id'],
    [{ maxLength: 1, id: '1' }, '/evictionOption has both maxLength and id: give one of them'],
    [{ maxLength: 1, limit: 0 }, '/evictionOption must have exactTrimming false where it has limit'],
    [{ maxLength: 1, exactTrimming: true, limit: 0 }, 'must have exactTrimming false where it has limit'],
    [{ maxLength: 1, exactTrimming: false, limit: -1 }, '/evictionOption/limit must be an integer of at least 0'],
    [{ id: '+' }, '/evictionOption/id must be an entry id'],
    [{ id: '18446744073709551616' }, 'Invalid stream ID'],
    ['MAXLEN 0', '/evictionOption must be object'],
  ])('refuses %j', async (evictionOption, message) => {
    const { error } = await xtrim({ key: fixture.key(), evictionOption });

    expect(error?.type).toBe('STREAM:ARGUMENT');
    expect(error?.message).toContain(message);
  });
});
