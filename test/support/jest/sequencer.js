import { statSync } from 'node:fs';

/** Files that take longest, by what their paths end with, the longest first. */
const SLOWEST = [
  'stream/x-memory.test.ts',
  'consumer/memory.test.ts',
  'consumer/worlds.test.ts',
  'browser/docs-page.test.ts',
  'endpoint/errors.test.ts',
  'scripts/package.test.ts',
  'scripts/release.test.ts',
  'exchange/wire-faults.test.ts',
  'sandbox/start.test.ts',
  'browser/console-page.test.ts',
  'deploy/alarms.test.ts',
  'session/session.test.ts',
  'session/shared-session.test.ts',
  'scripts/scripts-on-stack.test.ts',
  'deploy/deploy.test.ts',
  'scripts/generated-client.test.ts',
  'scripts/scripts.test.ts',
  'documents/docs-snippets.test.ts',
  'stream/x-large.test.ts',
  'scripts/pack.test.ts',
  'scripts/doctor-recording.test.ts',
  'endpoint/access.test.ts',
  'commands/xreadgroup.test.ts',
  'deploy/day-two.test.ts',
  'exchange/fuzz.test.ts',
  'consumer/faults.test.ts',
  'stream/x-portions.test.ts',
  'deploy/triggers.test.ts',
  'deploy/rollback.test.ts',
  'session/session-model.test.ts',
  'model/days.test.ts',
  'scripts/build.test.ts',
  'consumer/schedules.test.ts',
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
