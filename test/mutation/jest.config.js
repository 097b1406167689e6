import { fileURLToPath } from 'node:url';

/** The tests that cover the pure parts of the consumer, as `npm run prove -- mutation` runs them. */
export default {
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  testMatch: ['<rootDir>/test/unit/consumer/{window,dispatch}/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/jest/strip-types.js' },
};
