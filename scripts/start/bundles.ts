import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { functions } from '../functions.ts';
import { ScriptError } from '../arguments.ts';
import { ROOT } from './names.ts';

/** What the bundles are made of. */
const SOURCES = ['functions', 'lib', 'docs/openapi.json', 'scripts/build', 'package-lock.json'];

/** Builds the bundles of the functions, unless all are there and none is older than a source. */
export function ensureBundles(): void {
  const builtAt = Math.min(...functions.map(({ name }) => changedAt(`dist/${name}/index.cjs`) ?? 0));
  const newestSource = Math.max(...SOURCES.map(newestIn));
  if (builtAt > newestSource) return;
  const { status } = spawnSync(process.execPath, ['scripts/build.ts'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new ScriptError('The functions could not be built');
}

function newestIn(path: string): number {
  const folder = statSync(join(ROOT, path));
  if (!folder.isDirectory()) return folder.mtimeMs;
  const files = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
  return Math.max(...files.map((file) => changedAt(join(path, file)) ?? 0));
}

const changedAt = (path: string) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs;
