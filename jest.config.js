/** Tests run from source: a transform strips the types, Node runs the modules as they are. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': './test/support/strip-types.js' },
  testTimeout: 20_000,
};
