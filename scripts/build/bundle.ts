import { existsSync, renameSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import {
  build,
  transform,
  type BuildOptions,
  type BuildResult,
  type Metafile,
  type OutputFile,
  type Plugin,
} from 'esbuild';
import { browserBundle } from './browser-bundle.ts';
import { compileContracts } from './compile-contracts.ts';
import { leaveOut } from './leave-out.ts';
import { luaModule } from './lua-module.ts';

/** The sources and the output files of one function, or of several. */
export type Bundle = Metafile;

/**
 * esbuild exports getters that cannot be replaced. Tracing layers, such as OpenTelemetry's, wrap the handler by
 * assigning to the entry's exports, so those become plain properties.
 */
const WRITABLE_EXPORTS = 'module.exports={...module.exports};';

type Built = BuildResult<{ write: false; metafile: true }>;

/**
 * The Redis client requires the API of OpenTelemetry in `OpenTelemetry.init`, which is not called. Bundled for that,
 * all of the API would ship, where lib/core/span.ts imports a part.
 */
const redisWithoutTelemetry: Plugin = {
  name: 'redis-without-telemetry',
  setup(builder) {
    builder.onResolve({ filter: /^@opentelemetry\/api$/ }, ({ kind }) =>
      kind === 'require-call' ? { external: true } : undefined,
    );
  },
};

const luaScripts: Plugin = {
  name: 'lua-scripts',
  setup(builder) {
    builder.onLoad({ filter: /\.lua$/ }, async ({ path }) => ({
      contents: luaModule(path, await readFile(path, 'utf8')),
    }));
  },
};

/** Options of both passes. */
const COMMON = {
  sourcesContent: false,
  platform: 'node',
  target: 'node24',
  logLevel: 'warning',
} as const;

/** Folder of the modules that local bundles share, beside theirs. */
export const SHARED = 'shared';
/** Shared modules that no bundle has any more stay for a day, since a stack may be running on them. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Bundles one function for a release: `<directory>/index.cjs`, a file for each module imported dynamically, and
 * `chunk-….cjs` for shared code, so that nothing ships twice. Source maps lie beside them but do not ship, so no
 * comment refers to them; `npm run trace` reads them.
 */
export async function bundleFunction(handlerPath: string, directory: string): Promise<Bundle> {
  const { metafile, outputFiles } = await split({
    entryPoints: { index: handlerPath },
    outdir: directory,
    minify: true,
  });
  await fill(directory, async (folder) => {
    const entry = entryOf(handlerPath, metafile);
    const convertOne = async (output: OutputFile) => {
      const { code, map } = await toCommonJs(output, outputFiles, output.path === entry, { minify: true });
      await writeFile(join(folder, basename(output.path)), code);
      await writeFile(join(folder, `${basename(output.path)}.map`), map);
    };
    await Promise.all(modulesIn(outputFiles).map(convertOne));
  });
  return metafile;
}

/**
 * Bundles functions for the local stack and for tests, each in a folder of its own below `root`, in a tenth of the
 * time: one pass parses every module once, and a module that several functions share is converted once. Their code is
 * not minified, and its source maps are found by debuggers. Each folder holds hard links to all of its modules, so that
 * functions in one process share no state.
 */
export async function bundleTogether(handlers: ReadonlyMap<string, string>, root: string): Promise<Bundle> {
  const shared = join(root, SHARED);
  await mkdir(shared, { recursive: true });
  const { metafile, outputFiles } = await split({
    entryPoints: Object.fromEntries(handlers),
    outdir: shared,
    entryNames: '[name]-[hash]',
  });
  const entries = [...handlers.values()].map((handler) => entryOf(handler, metafile));
  const convertOne = async (output: OutputFile) => {
    const { path } = output;
    if (existsSync(path)) return; // its name holds the hash of its contents
    const { code, map } = await toCommonJs(output, outputFiles, entries.includes(path));
    await writeFile(`${path}.map`, map);
    await writeFile(`${path}.${process.pid}`, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
    renameSync(`${path}.${process.pid}`, path);
  };
  await Promise.all(modulesIn(outputFiles).map(convertOne));
  for (const [name, handler] of handlers) {
    const [entry, ...modules] = modulesOf(handler, metafile);
    await fill(join(root, name), async (folder) => {
      const linkOne = async (path: string, as = basename(path)) => {
        await link(path, join(folder, as));
        await link(`${path}.map`, join(folder, `${basename(path)}.map`));
      };
      await Promise.all([linkOne(entry!, 'index.cjs'), ...modules.map((path) => linkOne(path))]);
    });
  }
  await removeUnused(shared);
  return metafile;
}

/** The file that exports a handler. */
function entryOf(handler: string, { outputs }: Bundle): string {
  const entry = Object.keys(outputs).find((path) => resolve(outputs[path]!.entryPoint ?? '') === resolve(handler));
  if (entry === undefined) throw new Error(`${handler} has no bundle`);
  return resolve(entry);
}

/** The files of a function: its entry, and all that this may load. */
function modulesOf(handler: string, bundle: Bundle): string[] {
  const importsOf = new Map(Object.entries(bundle.outputs).map(([path, { imports }]) => [resolve(path), imports]));
  const modules = new Set([entryOf(handler, bundle)]);
  for (const path of modules) {
    for (const one of importsOf.get(path) ?? []) if (!one.external) modules.add(resolve(one.path));
  }
  return [...modules];
}

async function removeUnused(shared: string): Promise<void> {
  for (const name of await readdir(shared)) {
    const { nlink, mtimeMs } = await stat(join(shared, name));
    if (nlink === 1 && Date.now() - mtimeMs > KEPT_MS) await rm(join(shared, name));
  }
}

/**
 * Replaces a whole folder, since files of an earlier build would ship too; at once, since a local stack may be running
 * on it.
 */
async function fill(directory: string, write: (folder: string) => Promise<void>): Promise<void> {
  const [written, former] = [`${directory}.${process.pid}`, `${directory}.${process.pid}.former`];
  await mkdir(written, { recursive: true });
  await write(written);
  if (existsSync(directory)) renameSync(directory, former);
  renameSync(written, directory);
  await rm(former, { recursive: true, force: true });
}

/** The first pass splits, which esbuild does only for ES modules. */
function split(options: BuildOptions): Promise<Built> {
  return build({
    ...COMMON,
    outExtension: { '.js': '.cjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    sourcemap: 'external',
    mainFields: ['module', 'main'],
    alias: { redis: '@redis/client' }, // leaves out the modules for other Redis products
    loader: { '.html': 'text', '.css': 'text' },
    plugins: [compileContracts(), leaveOut(), redisWithoutTelemetry, browserBundle(), luaScripts],
    legalComments: 'none', // the licences are in NOTICES.txt beside the bundle
    ...options,
    metafile: true,
    write: false,
  });
}

const modulesIn = (outputs: readonly OutputFile[]) => outputs.filter(({ path }) => path.endsWith('.cjs'));

/** The second pass makes CommonJS, which starts faster: require('node:http') costs 3 ms, its import 28 ms. */
async function toCommonJs(
  { path, text }: OutputFile,
  outputs: readonly OutputFile[],
  isEntry: boolean,
  options: { minify?: boolean } = {},
) {
  const map = outputs.find((output) => output.path === `${path}.map`)!;
  const sourceMap = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map.contents).toString('base64')}`;
  return transform(`${text}\n${sourceMap}`, {
    ...COMMON,
    ...options,
    format: 'cjs',
    sourcemap: 'external',
    supported: { 'dynamic-import': false }, // the AWS SDK's imports become requires, which saves 10 ms
    footer: isEntry ? WRITABLE_EXPORTS : undefined,
  });
}
