import { build, type Plugin } from 'esbuild';

/** Turns imports of `x.bundle.js` into the text of `x.ts`, bundled for the browser. */
export function browserBundle(): Plugin {
  return {
    name: 'browser-bundle',
    setup(builder) {
      builder.onResolve({ filter: /\.bundle\.js$/ }, async ({ path, resolveDir, kind }) => {
        const { path: entry, errors } = await builder.resolve(path.replace(/\.bundle\.js$/, '.ts'), {
          resolveDir,
          kind,
        });
        return errors.length > 0 ? { errors } : { path: entry, namespace: 'browser-bundle' };
      });
      builder.onLoad({ filter: /.*/, namespace: 'browser-bundle' }, async ({ path }) => {
        const { contents, inputs } = await bundleForBrowser(path);
        return { contents, loader: 'text', watchFiles: inputs };
      });
    },
  };
}

/** A module and its imports as one minified script, and the files in it. */
export async function bundleForBrowser(path: string): Promise<{ contents: string; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    loader: { '.css': 'text' },
    legalComments: 'none',
    write: false,
    metafile: true,
  });
  return { contents: outputFiles[0]!.text, inputs: Object.keys(metafile.inputs) };
}
