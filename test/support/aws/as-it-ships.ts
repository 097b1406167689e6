import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunction } from '#scripts/build/bundle.ts';

const require = createRequire(import.meta.url) as (path: string) => unknown;

/** A module of ours, bundled as the functions are, without what the build leaves out. */
export async function asItShips<Module>(source: string): Promise<{ module: Module; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'as-it-ships-'));
  await bundleFunction(source, directory);
  return {
    module: require(join(directory, 'index.cjs')) as Module,
    remove: () => rm(directory, { recursive: true }),
  };
}
