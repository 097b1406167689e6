import { availableParallelism, devNull } from 'node:os';
import { compileCache } from './test/support/jest/compile-cache.js';
import { bundlePackages } from './test/support/jest/packages.js';

// What a developer's shell has decides no test: an AWS profile, a Redis of theirs, a proxy, colors, a hook of Git.
const OF_A_SHELL = /^(AWS|CONNECTOR|GIT|OTEL|REDIS|SLS)_|^(LOG_LEVEL|FORCE_COLOR|NO_COLOR|(HTTPS?|ALL|NO)_PROXY)$/i;
for (const name of Object.keys(process.env).filter((each) => OF_A_SHELL.test(each))) {
  Reflect.deleteProperty(process.env, name);
}
process.env.GIT_CONFIG_GLOBAL = devNull;

// Programs that tests start compile what they load once, which is a third of the time of a short one.
process.env.NODE_COMPILE_CACHE ??= compileCache(import.meta.dirname);

/** What all tests share: they run from source. A transform strips the types, Node runs the modules as they are. */
const shared = {
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  // its default marks objects that files share, and has hung the runner
  testEnvironmentOptions: { globalsCleanup: 'off' },
  globalSetup: '<rootDir>/test/support/jest/bundle-functions.js',
  // they read what npm run prove -- stack makes
  testPathIgnorePatterns: process.env.STACK ? [] : ['<rootDir>/test/stack/'],
  extensionsToTreatAsEsm: ['.ts', '.lua'],
  transform: {
    '\\.ts$': '<rootDir>/test/support/jest/strip-types.js',
    '\\.lua$': '<rootDir>/test/support/jest/lua.js',
  },
  moduleNameMapper: await bundlePackages(import.meta.dirname),
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.build/', '<rootDir>/.serverless/'],
  slowTestThreshold: 0, // so that each file reports its seconds
};
const QUIET = '<rootDir>/test/support/jest/quiet-log.js';

/** Tests of what depends on how the master data API answers; the others are about connections, waits and sessions. */
const DIALECT_SUITES = [
  'records/!(search-pages)',
  'client/*',
  'metadata/*',
  'masking/*',
  'session/logins',
  'exchange/{bodies,exact-ids,request-ids}',
];

export default {
  projects: [
    { ...shared, testMatch: ['<rootDir>/test/**/*.test.ts'], setupFiles: [QUIET] },
    {
      ...shared,
      displayName: 'service dialect',
      testMatch: DIALECT_SUITES.map((path) => `<rootDir>/test/integration/mdm/${path}.test.ts`),
      setupFiles: [QUIET, '<rootDir>/test/support/jest/service-dialect.js'],
    },
  ],
  testSequencer: '<rootDir>/test/support/jest/sequencer.js',
  maxWorkers: availableParallelism() + 2, // many tests wait: for a timeout, a lease, a child process
  // V8 seldom collects the modules of finished files; also keeps one worker a process of its own
  workerIdleMemoryLimit: '1GB',
  workerGracefulExitTimeout: 10_000,
  reporters: ['default', '<rootDir>/test/support/jest/count-reporter.js'],
};
