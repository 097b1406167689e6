/** Tests run from source: a transform strips the types, Node runs the modules as they are. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.js' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.serverless/'],
  setupFiles: ['<rootDir>/test/support/quiet-log.js'],
  testTimeout: 30_000,
  maxWorkers: 2,
  reporters: ['default', '<rootDir>/test/support/count-reporter.js'],
};
