import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Names that Chromium and its kin go by. */
export const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Where the first of these commands is found on the PATH. */
export function findProgram(commands: readonly string[]): string | undefined {
  const { stdout } = spawnSync('which', commands, { encoding: 'utf8' });
  return stdout.split('\n')[0] || undefined;
}

/**
 * Makes sure that a program which the tests run is there, by any of these names. On Debian and Ubuntu, as root, it
 * installs the package and says so; elsewhere it ends with the command to run.
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
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }, // the package starts no server of its own
  });
  if (!findProgram(commands)) {
    console.error(`${debianPackage} could not be installed`);
    process.exit(1);
  }
}
