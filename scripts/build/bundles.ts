import { spawnSync } from 'node:child_process';
import { ROOT } from './root.ts';
import { ScriptError } from './script-error.ts';

/** Builds the bundles for the local stack that are missing, or a source of which changed. */
export const ensureLocalBundles = () => build('--local', '--stale');

/** The same with the bundles of a release, of all functions or of those named. */
export const ensureBundles = (names: readonly string[] = []) => build('--stale', ...named(names));

/** Builds the bundles of a release for these functions, stale or not. */
export const buildBundles = (names: readonly string[]) => build(...named(names));

const named = (names: readonly string[]) => names.flatMap((name) => ['--only', name]);

function build(...args: string[]): void {
  const { status } = spawnSync(process.execPath, ['scripts/build.ts', ...args], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new ScriptError('The functions could not be built');
}
