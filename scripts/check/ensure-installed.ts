import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Commands of Chromium and its relatives. */
export const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of the first of these commands on the PATH. */
export function findProgram(commands: readonly string[]): string | undefined {
  const { stdout } = spawnSync('which', commands, { encoding: 'utf8' });
  return stdout.split('\n')[0] || undefined;
}

/**
 * Makes sure that a program of the tests exists, under any of these names. On Debian and Ubuntu, as root, installs the
 * package and says so; elsewhere exits with the command to run.
 */
export function ensureInstalled(debianPackage: string, commands: readonly string[] = [debianPackage]): void {
  if (findProgram(commands)) return;
  const install = `apt-get install -y --no-install-recommends ${debianPackage}`;
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
    console.error(`The tests need ${debianPackage}. On Debian or Ubuntu: sudo ${install}`);
    process.exit(1);
  }
  console.log(`Installing ${debianPackage}: ${install}`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  spawnSync('sh', ['-c', install], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // keeps the package from starting a server
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
  if (!findProgram(commands)) {
    console.error(`${debianPackage} could not be installed`);
    process.exit(1);
  }
}
