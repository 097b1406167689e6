import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Explorer, testedScopes } from '../../model/scopes.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await Explorer.open();
});
afterAll(() => explorer.close());

describe('every schedule of two runs', () => {
  it.each(Object.keys(testedScopes))("every schedule of two runs keeps the consumer's promises: %s", async (name) => {
    const { fault, isWhole, states } = await explorer.explore(testedScopes[name]!);

    expect({ fault, isWhole }).toEqual({ fault: undefined, isWhole: true });
    expect(states).toBeGreaterThan(100);
  });
});
