import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Explorer, sharedScopes, smallScopes } from '../../model/scopes.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await Explorer.open();
});
afterAll(() => explorer.close());

describe('every schedule of two runs', () => {
  it.each(Object.keys(smallScopes))("every schedule of two runs keeps the consumer's promises: %s", async (name) => {
    const { fault, isWhole, states } = await explorer.explore(smallScopes[name]!);

    expect({ fault, isWhole }).toEqual({ fault: undefined, isWhole: true });
    expect(states).toBeGreaterThan(100);
  });
});

/** `npm run prove -- explore` goes further: to their end, with enough `--seconds`. */
const SHARED_STATES = 8_000;

describe('schedules of two runs that share two shards', () => {
  it.each(Object.keys(sharedScopes))(
    "schedules of two runs on two shared shards keep the consumer's promises: %s",
    async (name) => {
      const { fault, states } = await explorer.explore(sharedScopes[name]!, ({ states }) => states >= SHARED_STATES);

      expect({ fault, states }).toEqual({ fault: undefined, states: SHARED_STATES });
    },
  );
});
