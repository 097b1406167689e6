import { statSync } from 'node:fs';

/** Files that take longest, by what their paths end with, the longest first. */
const SLOWEST = [
  ...['stream/x-memory.test.ts', 'scripts/scripts.test.ts', 'deploy/deploy.test.ts'],
  ...['deploy/triggers.test.ts', 'scripts/pack.test.ts', 'scripts/scripts-on-stack.test.ts', 'deploy/alarms.test.ts'],
  ...['scripts/package.test.ts', 'sandbox/start.test.ts', 'browser/console-page.test.ts', 'scripts/build.test.ts'],
];

/** Starts the files that take longest first, and then large ones before small ones, so that all workers end together. */
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
