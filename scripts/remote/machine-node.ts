import { execFileSync, spawnSync } from 'node:child_process';
import { ScriptError } from '../arguments.ts';

/** The oldest Node.js that runs TypeScript directly. */
const LEAST = [22, 18] as const;

/**
 * Continues with the machine's own Node.js if npm started the one from this project's packages, because a deployment
 * has AWS credentials.
 *
 * @throws {ScriptError} if the machine's own is too old
 */
export function runOnMachineNode(): void {
  const machineNode = process.env.npm_node_execpath ?? process.execPath;
  if (machineNode === process.execPath) return;
  const version = execFileSync(machineNode, ['--version'], { encoding: 'utf8' }).trim();
  if (!isEnough(version)) {
    throw new ScriptError(
      `A deployment runs on the machine's own Node.js, and ${version} is older than ${LEAST.join('.')}: ` +
        'install a newer one',
    );
  }
  const { status } = spawnSync(machineNode, process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}

function isEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number);
  return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
}
