import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Commands of Chromium and its relatives. The one without windows comes first: it takes less of a processor. */
export const BROWSERS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
/** Packages of Chromium. Ubuntu has the second alone. */
export const BROWSER_PACKAGES = ['chromium-headless-shell', 'chromium'];

/** The path of the first of these commands on the PATH. */
export function findProgram(commands: readonly string[]): string | undefined {
  const { stdout } = spawnSync('which', commands, { encoding: 'utf8' });
  return stdout.split('\n')[0] || undefined;
}

/**
 * Makes sure that a program of the tests exists, under any of these names. On Debian and Ubuntu, as root, installs the
 * first of the packages that there is, and says so; elsewhere exits with the command to run.
 *
 * @param packages the last is in every Debian and Ubuntu
 */
export function ensureInstalled(packages: readonly string[], commands = packages): void {
  if (findProgram(commands)) return;
  const name = packages.at(-1)!;
  const installs = packages.map((each) => `apt-get install -y --no-install-recommends ${each}`);
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
    console.error(`The tests need ${name}. On Debian or Ubuntu: sudo ${installs.at(-1)!}`);
    process.exit(1);
  }
  const install = installs.join(' || ');
  console.log(`Installing ${name}: ${install}`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  spawnSync('sh', ['-c', install], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // keeps the package from starting a server
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
  if (!findProgram(commands)) {
    console.error(`${name} could not be installed`);
    process.exit(1);
  }
}
