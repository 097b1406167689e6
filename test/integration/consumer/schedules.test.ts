import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Explorer, smallScopes } from '../../model/scopes.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await Explorer.open();
});
afterAll(() => explorer.close());

describe('every schedule of two runs keeps the promises of the consumer', () => {
  it.each(Object.keys(smallScopes))('%s', async (name) => {
    const { fault, isWhole, states } = await explorer.explore(smallScopes[name]!, 20_000);

    expect({ fault, isWhole }).toEqual({ fault: undefined, isWhole: true });
    expect(states).toBeGreaterThan(100);
  });
});
