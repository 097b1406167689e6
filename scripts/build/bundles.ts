import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import type { Order } from './make-bundles.ts';
import { ROOT } from './root.ts';
import { ScriptError } from './script-error.ts';

const PROGRAM = fileURLToPath(new URL('./make-bundles.ts', import.meta.url));
const FAILED = 'The functions could not be built';

/** Builds the bundles for the local stack that are missing, or a source of which changed; all, or those named. */
export const ensureLocalBundles = (only: readonly string[] = []) => build({ form: 'local', stale: true, only });

/** The same with the bundles of a release. */
export const ensureBundles = (only: readonly string[] = []) => build({ form: 'release', stale: true, only });

/** Builds the bundles of a release for these functions, stale or not. */
export const buildBundles = (only: readonly string[]) => build({ form: 'release', only });

/** Does what `ensureLocalBundles` does while this process goes on, and prints nothing. */
export async function buildLocalBundles(only: readonly string[] = []): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, argsFor({ form: 'local', stale: true, only }), { cwd: ROOT });
  } catch (error) {
    throw new ScriptError(`${FAILED}:\n${(error as { stderr?: string }).stderr ?? String(error)}`);
  }
}

const argsFor = (order: Order) => [PROGRAM, JSON.stringify(order)];

function build(order: Order): void {
  const { status } = spawnSync(process.execPath, argsFor(order), { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new ScriptError(FAILED);
}
