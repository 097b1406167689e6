import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program, under any of its names, and the packages of Debian and Ubuntu that may have it; the last is in both. */
export interface Program {
  readonly commands: readonly string[];
  readonly packages: readonly string[];
}

export const REDIS: Program = { commands: ['redis-server'], packages: ['redis-server'] };
export const OPENSSL: Program = { commands: ['openssl'], packages: ['openssl'] };
/** Chromium and its relatives. The one without windows comes first: it takes less of a processor. */
export const BROWSER: Program = {
  commands: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  packages: ['chromium-headless-shell', 'chromium'],
};

/** The path of the first of these commands that is on the PATH. */
export function findProgram(commands: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return commands.flatMap((command) => folders.map((folder) => join(folder, command))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes sure that these programs exist. On Debian and Ubuntu, as root, installs those that do not, and says so;
 * elsewhere names them all, with the command to run, and exits.
 */
export function ensureInstalled(...programs: readonly Program[]): void {
  const missing = () => programs.filter(({ commands }) => !findProgram(commands));
  const before = missing();
  if (before.length === 0) return;
  const names = namesOf(before);
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
    console.error(`The tests need ${names.join(', ')}. On Debian or Ubuntu: sudo ${installOf(names.join(' '))}`);
    process.exit(1);
  }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  for (const { packages } of before) {
    const install = packages.map(installOf).join(' || ');
    console.log(`Installing ${packages.at(-1)}: ${install}`);
    spawnSync('sh', ['-c', install], {
      stdio: ['ignore', 'ignore', 'inherit'],
      // keeps the package from starting a server
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
  }
  const failed = missing();
  if (failed.length === 0) return;
  console.error(`Could not be installed: ${namesOf(failed).join(', ')}`);
  process.exit(1);
}

/** Names of packages, for people. */
const namesOf = (programs: readonly Program[]) => programs.map(({ packages }) => packages.at(-1)!);

const installOf = (names: string) => `apt-get install -y --no-install-recommends ${names}`;
