import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';

/** The sources of bundles. */
const SOURCES = ['functions', 'lib', 'docs/openapi.json', 'scripts/build', 'package-lock.json'];

/** Whether the bundle of a function is missing, or older than a source. */
export function staleBundles(): (name: string) => boolean {
  const newestSource = Math.max(...SOURCES.map(newestIn));
  return (name) => (changedAt(`dist/${name}/index.cjs`) ?? 0) <= newestSource;
}

function newestIn(path: string): number {
  const folder = statSync(join(ROOT, path));
  if (!folder.isDirectory()) return folder.mtimeMs;
  const files = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
  return Math.max(...files.map((file) => changedAt(join(path, file)) ?? 0));
}

const changedAt = (path: string) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs;
