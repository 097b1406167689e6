import { basename, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/*
 * What our own code imports dynamically is needed in some configurations only, so it becomes a file of its own beside
 * the bundle, and is read when it is called for.
 */

/** The sidecar files of one function, by the name that each has beside the bundle. */
export class Sidecars {
  readonly #sources = new Map<string, string>([['index.cjs', '']]);

  /**
   * The file name of a source that is imported dynamically: its base name.
   *
   * @throws {Error} where another source of the same function has that name already
   */
  add(source: string): string {
    const file = `${basename(source, '.ts')}.cjs`;
    const other = this.#sources.get(file) ?? source;
    if (other !== source) {
      throw new Error(`${source} and ${other || 'the bundle itself'} would both be ${file}: rename one of them`);
    }
    this.#sources.set(file, source);
    return file;
  }
}

/** Leaves our own dynamic imports out of the bundle, and reports each source with its file name. */
export function sidecars(names: Sidecars, found: (source: string, file: string) => void): Plugin {
  return {
    name: 'sidecars',
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path, kind, resolveDir }) => {
        if (kind !== 'dynamic-import' || resolveDir.includes('node_modules')) return undefined;
        const source = resolve(resolveDir, path);
        const file = names.add(source);
        found(source, file);
        return { path: `./${file}`, external: true };
      });
    },
  };
}
