import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The page's script, bundled for the browser. */
export async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./page/main.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    write: false,
  });
  return outputFiles[0]!.text;
}
