import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Bundle } from './bundle.ts';
import { BUNDLES, type Form } from './forms.ts';
import { sourcesOf } from './sources.ts';
import type { DeployedFunction } from './functions.ts';
import { ROOT } from './root.ts';

/** The sources of a bundle as they were when it was made. */
interface Made {
  readonly sources: readonly string[];
  /** Hash of their contents. */
  readonly hash: string;
}

const recordOf = (form: Form, name: string) => join(ROOT, '.build', 'sources', form, `${name}.json`);

/** Whether the bundle of a function is missing, or a source that it reaches has other contents. */
export function staleBundles(form: Form): (name: string) => boolean {
  const hashFile = fileHashes();
  return (name) => {
    if (!existsSync(join(ROOT, BUNDLES[form], name, 'index.cjs'))) return true;
    const record = recordOf(form, name);
    if (!existsSync(record)) return true;
    const { sources, hash } = JSON.parse(readFileSync(record, 'utf8')) as Made;
    return hashOf(sources, hashFile) !== hash;
  };
}

/**
 * Records what the bundles of these functions were made of. A source that changed since `startedAt` leaves them stale.
 */
export async function recordSources(
  form: Form,
  built: readonly Pick<DeployedFunction, 'name' | 'handler'>[],
  bundle: Bundle,
  startedAt: number,
): Promise<void> {
  const hashFile = fileHashes();
  const reached = await sourcesOf(
    bundle,
    built.map(({ handler }) => handler),
  );
  for (const { name, handler } of built) {
    const sources = reached.get(handler)!;
    const isSettled = sources.every((path) => statSync(join(ROOT, path)).mtimeMs < startedAt);
    const made: Made = { sources, hash: isSettled ? hashOf(sources, hashFile) : 'changed while it was bundled' };
    await mkdir(dirname(recordOf(form, name)), { recursive: true });
    await writeFile(recordOf(form, name), JSON.stringify(made));
  }
}

function hashOf(sources: readonly string[], hashFile: (path: string) => string): string {
  const hash = createHash('sha256');
  for (const path of sources) hash.update(`${path} ${hashFile(path)}\n`);
  return hash.digest('hex');
}

/** Hashes each file once; a file that is gone has a hash of its own. */
function fileHashes(): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    const found = known.get(path) ?? read(path);
    known.set(path, found);
    return found;
  };
}

function read(path: string): string {
  try {
    return createHash('sha256')
      .update(readFileSync(join(ROOT, path)))
      .digest('hex');
  } catch {
    return 'gone';
  }
}
