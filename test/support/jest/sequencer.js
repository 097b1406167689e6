import { statSync } from 'node:fs';

/**
 * Files that take longest, by what their paths end with, about the longest first. Those that wait and those that work
 * take turns, so that some of each are under way.
 */
const SLOWEST = [
  'mdm/session/session.test.ts',
  'consumer/worlds.test.ts',
  'exchange/wire-faults.test.ts',
  'stream/x-memory.test.ts',
  'endpoint/errors.test.ts',
  'browser/console-page.test.ts',
  'consumer/faults.test.ts',
  'deploy/deploy.test.ts',
  'session/shared-session.test.ts',
  'sandbox/start.test.ts',
  'endpoint/access.test.ts',
  'browser/docs-page.test.ts',
  'exchange/fuzz.test.ts',
  'consumer/memory.test.ts',
  'consumer/hand-overs.test.ts',
  'scripts/package.test.ts',
  'deploy/alarms.test.ts',
  'scripts/scripts.test.ts',
  'session/session-model.test.ts',
  'consumer/schedules.test.ts',
  'exchange/faults.test.ts',
  'scripts/scripts-on-stack.test.ts',
  'endpoint/outcomes.test.ts',
  'scripts/pack.test.ts',
  'exchange/proxies.test.ts',
  'scripts/build.test.ts',
  'consumer/lambda.test.ts',
  'documents/docs-snippets.test.ts',
  'consumer/shards.test.ts',
  'scripts/generated-client.test.ts',
  'redis/callers.test.ts',
  'model/days.test.ts',
  'consumer/promptness.test.ts',
  'scripts/release.test.ts',
  'consumer/rights.test.ts',
  'stream/x-large.test.ts',
  'endpoint/causes.test.ts',
  'scripts/doctor-recording.test.ts',
  'consumer/older-runs.test.ts',
  'sandbox/inspect.test.ts',
  'support/runner.test.ts',
  'client/client.test.ts',
  'consumer/cluster.test.ts',
  'session/logins.test.ts',
  'commands/xreadgroup.test.ts',
  'deploy/day-two.test.ts',
  'stream/x-portions.test.ts',
  'deploy/triggers.test.ts',
  'deploy/rollback.test.ts',
];

/**
 * Starts the files that take longest first, and then large ones before small ones, so that all workers end together.
 */
export default class SlowestFirst {
  sort(tests) {
    const rank = ({ path }) => {
      const at = SLOWEST.findIndex((name) => path.endsWith(name));
      return at < 0 ? SLOWEST.length : at;
    };
    return tests.toSorted((one, other) => rank(one) - rank(other) || sizeOf(other) - sizeOf(one));
  }

  /** What another run took on this machine does not count: every run has the same order. */
  cacheResults() {}
}

const sizeOf = ({ path }) => statSync(path).size;
