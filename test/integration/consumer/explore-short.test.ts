import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Explorer, scopes } from '../../explore/scopes.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await Explorer.open();
});
afterAll(() => explorer.close());

describe('every schedule of two runs keeps the promises of the consumer', () => {
  it.each([
    ['two runs, one key', 5000],
    ['two runs, one key, crash', 5000],
    ['two runs, one key, stop', 5000],
    ['wake, one key', 10_000],
  ])('%s', async (name, ms) => {
    const { fault, states } = await explorer.explore(scopes[name]!, ms);

    expect(fault).toBeUndefined();
    expect(states).toBeGreaterThan(100);
  });
});
