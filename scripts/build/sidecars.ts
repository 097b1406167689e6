import { basename, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/*
 * What our own code imports dynamically is needed in some configurations only, so it becomes a file of its own beside
 * the bundle, and is read when it is called for.
 */

/** Leaves our own dynamic imports out of the bundle, and lists them. */
export function sidecars(found: (sourcePath: string) => void): Plugin {
  return {
    name: 'sidecars',
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path, kind, resolveDir }) => {
        if (kind !== 'dynamic-import' || resolveDir.includes('node_modules')) return undefined;
        found(resolve(resolveDir, path));
        return { path: `./${basename(path, '.ts')}.cjs`, external: true };
      });
    },
  };
}
