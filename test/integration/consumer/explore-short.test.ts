import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Explorer, scopes } from '../../explore/scopes.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await Explorer.open();
});
afterAll(() => explorer.close());

describe('every schedule of two runs keeps the promises of the consumer', () => {
  it.each(['two runs, one key', 'two runs, one key, crash', 'two runs, one key, stop'])('%s', async (name) => {
    const { fault, states } = await explorer.explore(scopes[name]!, 5000);

    expect(fault).toBeUndefined();
    expect(states).toBeGreaterThan(100);
  });
});
