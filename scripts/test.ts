import { spawnSync } from 'node:child_process';
import { readArguments } from './arguments.ts';
import { BROWSERS, ensureInstalled } from './check/ensure-installed.ts';
import { CHECKS, runSteps } from './check/steps.ts';

/*
 * npm test [-- <jest arguments>]: types, lint, layers, generated files, then all tests on the packaged functions and
 * real servers. Ends with the count of tests.
 */

const isForJest = !process.argv.some((argument) => argument === '--help' || argument === '-h');
if (!isForJest) {
  readArguments({
    command: 'npm test',
    about: 'Runs the checks, builds the functions, and runs the tests. Arguments are those of jest.',
    takes: '[<path>]',
    examples: ['npm test', 'npm test -- test/unit', "npm test -- -t 'the name of a test'"],
  });
}

const jestOptions = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

ensureInstalled('redis-server');
ensureInstalled('openssl');
ensureInstalled('chromium', BROWSERS);

const failed = await runSteps([...CHECKS, 'build']);
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exit(1);
}
const jest = ['node_modules/jest/bin/jest.js', ...process.argv.slice(2)];
const { status, signal } = spawnSync('node', [...jestOptions, ...jest], { stdio: 'inherit' });
if (signal) console.error(`\njest ended by ${signal}`);
process.exit(status ?? 1);
