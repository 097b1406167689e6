import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { bundleForBrowser } from './browser-bundle.ts';
import type { Bundle } from './bundle.ts';
import { DECLARATIONS } from './compile-contracts.ts';
import { ROOT } from './root.ts';

/** What every bundle depends on: the installed packages, and how bundles are made. */
const SHARED_SOURCES = ['package-lock.json', 'tsconfig.json', ...filesIn('scripts/build')];

type Graph = Pick<Metafile, 'inputs'>;

/**
 * The sources that each function's bundle was made of, by handler: the modules that it reaches, and what compiled
 * contracts and browser bundles among them reach. Modules of packages are left to the lock file.
 */
export async function sourcesOf(bundle: Bundle, handlers: readonly string[]): Promise<Map<string, string[]>> {
  const paths = Object.keys(bundle.inputs);
  const declarations = await graphOf(paths.filter((path) => DECLARATIONS.test(`/${path}`)));
  const pages = new Map<string, string[]>();
  for (const path of paths.filter((one) => one.startsWith('browser-bundle:'))) {
    pages.set(path, (await bundleForBrowser(path.slice('browser-bundle:'.length))).inputs);
  }
  const importsOf = (path: string) => [
    ...localImports(bundle, path),
    ...localImports(declarations, path),
    ...(pages.get(path) ?? []),
  ];
  return new Map(
    handlers.map((handler) => [handler, [...reachedFrom(handler, importsOf).filter(isOwn), ...SHARED_SOURCES]]),
  );
}

function reachedFrom(handler: string, importsOf: (path: string) => string[]): string[] {
  const reached = new Set([handler]);
  for (const path of reached) for (const imported of importsOf(path)) reached.add(imported);
  return [...reached].sort();
}

const localImports = ({ inputs }: Graph, path: string) =>
  (inputs[path]?.imports ?? []).filter(({ external }) => !external).map((one) => one.path);

/** A file of this project; not one of a package, and not the text that a plugin made. */
const isOwn = (path: string) => !path.includes('node_modules/') && !/^[a-z-]{2,}:/.test(path);

/** The imports of modules that the build runs instead of bundling them. */
async function graphOf(entryPoints: readonly string[]): Promise<Graph> {
  const { metafile } = await build({
    entryPoints: [...entryPoints],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outdir: 'none',
    write: false,
    metafile: true,
  });
  return metafile;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((one) => one.isFile())
    .map((one) => relative(ROOT, join(one.parentPath, one.name)))
    .sort();
}
