import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const isOnPath = (command: string) => spawnSync('which', [command]).status === 0;

/**
 * Makes sure that a program which the tests run is there. On Debian and Ubuntu, as root, it installs the package and
 * says so; elsewhere it ends with the command to run.
 */
export function ensureInstalled(command: string, debianPackage: string): void {
  if (isOnPath(command)) return;
  const install = `apt-get install -y --no-install-recommends ${debianPackage}`;
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
    console.error(`The tests need ${command}. On Debian or Ubuntu: sudo ${install}`);
    process.exit(1);
  }
  console.log(`Installing ${debianPackage}: ${install}`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  spawnSync('sh', ['-c', install], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }, // the package starts no server of its own
  });
  if (!isOnPath(command)) {
    console.error(`${debianPackage} could not be installed`);
    process.exit(1);
  }
}
