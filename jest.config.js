/** Tests run from source: a transform strips the types, Node runs the modules as they are. */
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  testEnvironmentOptions: { globalsCleanup: 'off' }, // its default marks objects that files share, and has hung the runner
  globalSetup: '<rootDir>/test/support/jest/bundle-functions.js',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/jest/strip-types.js' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.build/', '<rootDir>/.serverless/'],
  testSequencer: '<rootDir>/test/support/jest/sequencer.js',
  setupFiles: ['<rootDir>/test/support/jest/quiet-log.js'],
  slowTestThreshold: 0, // so that each file reports its seconds
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB', // V8 seldom collects the modules of finished files; also keeps one worker a process of its own
  workerGracefulExitTimeout: 10_000,
  reporters: ['default', '<rootDir>/test/support/jest/count-reporter.js'],
};
