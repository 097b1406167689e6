import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

const SCRIPT = /\.m?js$/;

/**
 * Puts small modules in place of those of packages that no call of ours runs. The build fails where a package no longer
 * has such a module; the bundler itself fails where another module imports from one what it does not export.
 *
 * @param entry a module that is in each bundle that the others are in, by its path below `node_modules`
 * @param modules the source of each stand-in, an ES module, by the path of what it stands for
 */
export function standIns(name: string, entry: RegExp, modules: Readonly<Record<string, string>>): Plugin {
  return {
    name,
    setup(build) {
      build.onLoad({ filter: SCRIPT }, ({ path }) => {
        const [root, module] = split(path);
        const contents = modules[module];
        if (contents !== undefined) return { contents, loader: 'js', resolveDir: dirname(path) };
        if (!entry.test(module)) return undefined;
        const moved = Object.keys(modules).filter((one) => !existsSync(join(root, one)));
        return moved.length > 0
          ? { errors: moved.map((one) => ({ text: `${name}: there is no ${one} any more` })) }
          : undefined;
      });
    },
  };
}

/** The path of a package's module below `node_modules`, with slashes. */
export const moduleOf = (path: string): string => split(path)[1];

/** The folder of all packages, and a path in it. */
function split(path: string): [root: string, module: string] {
  const folder = 'node_modules/';
  const at = path.replaceAll('\\', '/').lastIndexOf(folder) + folder.length;
  return [path.slice(0, at), path.slice(at).replaceAll('\\', '/')];
}
