import { spawnSync } from 'node:child_process';
import { readArguments } from './arguments.ts';
import { BROWSERS, ensureInstalled } from './check/ensure-installed.ts';

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

function step(command: string, ...args: string[]): void {
  const { status, signal } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\nFailed: ${[command, ...args].join(' ')}${signal ? ` (${signal})` : ''}`);
    process.exit(status ?? 1);
  }
}

ensureInstalled('redis-server');
ensureInstalled('openssl');
ensureInstalled('chromium', BROWSERS);

step('npm', 'run', '--silent', 'check');
step('npm', 'run', '--silent', 'build');
step('node', ...jestOptions, 'node_modules/jest/bin/jest.js', ...process.argv.slice(2));
