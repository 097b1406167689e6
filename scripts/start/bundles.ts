import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { functions } from '../functions.ts';
import { ScriptError } from '../arguments.ts';
import { ROOT } from './names.ts';

/** What the bundles are made of. */
const SOURCES = ['functions', 'lib', 'docs/openapi.json', 'scripts/build', 'package-lock.json'];

/** Builds those bundles of functions that are not there, or older than a source. */
export function ensureBundles(names = functions.map(({ name }) => name)): void {
  const newestSource = Math.max(...SOURCES.map(newestIn));
  const stale = names.filter((name) => (changedAt(`dist/${name}/index.cjs`) ?? 0) <= newestSource);
  if (stale.length > 0) buildBundles(stale);
}

/** Builds the bundles of these functions, stale or not. */
export function buildBundles(names: readonly string[]): void {
  const args = ['scripts/build.ts', ...names.flatMap((name) => ['--only', name])];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new ScriptError('The functions could not be built');
}

function newestIn(path: string): number {
  const folder = statSync(join(ROOT, path));
  if (!folder.isDirectory()) return folder.mtimeMs;
  const files = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
  return Math.max(...files.map((file) => changedAt(join(path, file)) ?? 0));
}

const changedAt = (path: string) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs;
