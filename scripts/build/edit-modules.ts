import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { moduleOf } from './stand-ins.ts';

/** One passage of a module, and what is to stand there. */
export interface Edit {
  /** The module, by its path below `node_modules`. */
  readonly module: string;
  /** The passage, which the module must hold exactly once. */
  readonly passage: RegExp;
  readonly replacement: string;
  /** What the passage does, to say so where it is missing: "copy the body". */
  readonly does: string;
}

const SCRIPT = /\.m?js$/;

/**
 * Changes modules of a package while they are bundled. The build fails where a passage is written otherwise, or where a
 * bundle holds some of the modules and not the others.
 *
 * @param version of the package, whose text the edits are made for
 */
export function editModules(name: string, version: string, edits: readonly Edit[]): Plugin {
  const modules = Map.groupBy(edits, ({ module }) => module);
  return {
    name,
    setup(build) {
      const missing = new Set(modules.keys());
      build.onLoad({ filter: SCRIPT }, async ({ path }) => {
        const module = moduleOf(path);
        const ours = modules.get(module);
        if (!ours) return undefined;
        missing.delete(module);
        let contents = await readFile(path, 'utf8');
        const errors: { text: string }[] = [];
        for (const { passage, replacement, does } of ours) {
          const parts = contents.split(passage);
          if (parts.length === 2) contents = parts.join(replacement);
          else errors.push({ text: `${name}: ${path} does not ${does} as it did in ${version}` });
        }
        return { contents, loader: 'js', errors };
      });
      build.onEnd(() => {
        if (missing.size === 0 || missing.size === modules.size) return undefined;
        return { errors: [...missing].map((module) => ({ text: `${name}: ${version} had a module ${module}` })) };
      });
    },
  };
}
