import { execFileSync, spawnSync } from 'node:child_process';
import { ScriptError } from '../arguments.ts';

/** The least Node.js that runs TypeScript as it is. */
const LEAST = [22, 18] as const;

/**
 * Goes on under the machine's own Node.js where npm has put the one of this project's packages before it. What holds
 * credentials of AWS is better run by what the machine's owner installed.
 *
 * @throws {ScriptError} where the machine's own is too old
 */
export function runOnOwnNode(): void {
  const own = process.env.npm_node_execpath ?? process.execPath;
  if (own === process.execPath) return;
  const version = execFileSync(own, ['--version'], { encoding: 'utf8' }).trim();
  if (!isEnough(version)) {
    throw new ScriptError(
      `A deployment runs on the machine's own Node.js, and ${version} is older than ${LEAST.join('.')}: install a newer one`,
    );
  }
  const { status } = spawnSync(own, process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}

function isEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number);
  return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
}
