import { describe, expect, it } from '@jest/globals';
import fc from '#test/support/fast-check.ts';
import type { SandboxOptions } from '#sandbox/mdm/index.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { SessionWorld, type Happening } from '#test/support/mdm/session-world.ts';
import { use } from '#test/support/jest/use.ts';

/*
 * Random sequences of what may happen to sessions, over several containers. Whatever happens, logins and refused logins
 * stay within bounds, no call fails without a cause, and once all is right again every container is served at once.
 * MDM_RUNS says how many sequences; `npm run prove -- fuzz` takes many.
 */

const RUNS = Number(process.env.MDM_RUNS ?? 25);
const CONTAINERS = 3;

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());

const call = fc.record({
  kind: fc.constant('call' as const),
  container: fc.nat(CONTAINERS - 1),
  times: fc.integer({ min: 1, max: 5 }),
});
const freeze = fc.record({
  kind: fc.constant('freeze' as const),
  container: fc.nat(CONTAINERS - 1),
  forMs: fc.constantFrom(0, 1_000, 3_600_000),
});
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { arbitrary: call, weight: 8 },
  freeze,
  fc.record({ kind: fc.constantFrom('expire', 'expire', 'rotate', 'change-password', 'publish-password') }),
  fc.record({ kind: fc.constantFrom('login-fails', 'api-fails', 'api-refuses', 'secrets-fail'), on: fc.boolean() }),
  fc.record({ kind: fc.constant('clock' as const), byMs: fc.constantFrom(-3_600_000, -60_000, 60_000, 3_600_000) }),
);

const callOf = (container: number): Happening => ({ kind: 'call', container, times: 2 });

/** Sequences that random ones seldom come upon. */
const EXAMPLES: [Happening[]][] = [
  // a renewal is refused while a session lives: the session must be kept, and used once the API takes it again
  [
    [
      callOf(0),
      { kind: 'api-refuses', on: true },
      { kind: 'change-password' },
      callOf(0),
      { kind: 'api-refuses', on: false },
      callOf(0),
    ],
  ],
  // container 2 has no session when the password changes, so its login is refused; those that have one are served
  [[callOf(0), callOf(1), { kind: 'change-password' }, callOf(2), callOf(0), callOf(1), callOf(2)]],
];

describe.each<[string, SandboxOptions, boolean]>([
  ['opaque sessions', {}, false],
  ['tokens with an end', { session: { kind: 'jwt', lifetimeMs: 15 * 60_000 } }, false],
  ['tokens that containers share', { session: { kind: 'jwt', lifetimeMs: 15 * 60_000 } }, true],
])('%s', (_, options, isShared) => {
  const shared = isShared ? { mdm: { sessionStore: 'redis', sessionKey: 'k'.repeat(32) } } : {};

  it('sessions stay within their bounds for any sequence of events', async () => {
    const run = async (happenings: Happening[]) => {
      const rest = { redis: { url: redis.url } };
      const world = await SessionWorld.open(stack, CONTAINERS, options, { ...shared, rest });
      const startedAt = performance.now();
      try {
        for (const each of happenings) await world.happen(each);
        await world.settle();
        if (isShared) await redis.command('FLUSHDB'); // its clock does not jump, so pauses would last
        const unserved = await world.heal();

        const { counts, mdm } = world;
        const pauses = counts.clockJumps + Math.ceil((performance.now() - startedAt) / 5_000);
        const causes = counts.expiries + counts.passwords + pauses + 2 * counts.refusals + 1;
        expect({ unserved, unexplained: counts.unexplained }).toEqual({ unserved: 0, unexplained: [] });
        expect(counts.failed).toBeLessThanOrEqual(counts.mayFail);
        expect(mdm.logins).toBeLessThanOrEqual(CONTAINERS * causes);
        expect(mdm.sessions.refusedLogins).toBeLessThanOrEqual(CONTAINERS * (counts.passwords - 1) * (pauses + 1));
      } finally {
        await world.close();
      }
    };

    await fc.assert(fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 40 }), run), {
      numRuns: Math.ceil(RUNS / 3),
      endOnFailure: true,
      examples: EXAMPLES,
    });
  }, 3_600_000);
});
