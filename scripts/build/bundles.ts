import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from './root.ts';
import { ScriptError } from './script-error.ts';

const BUILD = 'scripts/build.ts';
const IF_STALE = ['--local', '--stale'];
const FAILED = 'The functions could not be built';

/** Builds the bundles for the local stack that are missing, or a source of which changed; all, or those named. */
export const ensureLocalBundles = (names: readonly string[] = []) => build(...IF_STALE, ...named(names));

/** The same with the bundles of a release. */
export const ensureBundles = (names: readonly string[] = []) => build('--stale', ...named(names));

/** Builds the bundles of a release for these functions, stale or not. */
export const buildBundles = (names: readonly string[]) => build(...named(names));

/** Does what `ensureLocalBundles` does while this process goes on, and prints nothing. */
export async function buildLocalBundles(names: readonly string[] = []): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [BUILD, ...IF_STALE, ...named(names)], { cwd: ROOT });
  } catch (error) {
    throw new ScriptError(`${FAILED}:\n${(error as { stderr?: string }).stderr ?? String(error)}`);
  }
}

const named = (names: readonly string[]) => names.flatMap((name) => ['--only', name]);

function build(...args: string[]): void {
  const { status } = spawnSync(process.execPath, [BUILD, ...args], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new ScriptError(FAILED);
}
