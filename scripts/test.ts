import { spawnSync } from 'node:child_process';
import { readArguments } from './arguments.ts';
import { BROWSER, ensureInstalled, OPENSSL, REDIS } from './check/ensure-installed.ts';
import { CHECKS, commandsOf, runCommands } from './check/steps.ts';

/*
 * npm test: types, lint, layers, generated files, then all tests on bundled functions and real servers. With arguments
 * of jest, `npm test -- test/integration/stream/commands/xadd.test.ts`, only the tests that they name, without the
 * checks. Ends with the count of tests.
 */

const isForJest = !process.argv.some((argument) => argument === '--help' || argument === '-h');
if (!isForJest) {
  readArguments({
    command: 'npm test',
    about: 'Runs the checks and all tests; with arguments, which are those of jest, only the tests that they name.',
    takes: '[<path>]',
    examples: ['npm test', 'npm test -- test/unit', "npm test -- -t 'the name of a test'"],
  });
}

const jestOptions = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

const jestArguments = process.argv.slice(2);
const paths = jestArguments.filter((argument) => !argument.startsWith('-'));
const needsNoServer = paths.length > 0 && paths.every((path) => /^(\.\/)?test\/(unit|contract)\b/.test(path));
if (!needsNoServer) ensureInstalled(REDIS, OPENSSL, BROWSER);
const before = [...commandsOf(CHECKS), 'node scripts/build.ts --stale'];
const failed = jestArguments.length > 0 ? [] : await runCommands(before);
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exit(1);
}
const jest = ['node_modules/jest/bin/jest.js', ...jestArguments];
const { status, signal } = spawnSync('node', [...jestOptions, ...jest], { stdio: 'inherit' });
if (signal) console.error(`\njest ended by ${signal}`);
process.exit(status ?? 1);
