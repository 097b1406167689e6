import { existsSync, renameSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, transform, type BuildResult, type Metafile, type OutputFile } from 'esbuild';
import { browserBundle } from './browser-bundle.ts';
import { compileContracts } from './compile-contracts.ts';
import { leaveOut } from './leave-out.ts';

/** The sources and the output files of a function. */
export type Bundle = Metafile;

type Built = BuildResult<{ write: false; metafile: true }>;

/** Options of both passes. */
const COMMON = {
  minify: true,
  sourcesContent: false,
  platform: 'node',
  target: 'node24',
  logLevel: 'warning',
} as const;

/**
 * Bundles one function: `<directory>/index.cjs`, a file for each module imported dynamically, and `chunk-….cjs` for
 * shared code, so that nothing ships twice. Source maps lie beside them but do not ship, so no comment refers to them;
 * `npm run trace` reads them.
 */
export async function bundleFunction(handlerPath: string, directory: string): Promise<Bundle> {
  const { metafile, outputFiles } = await split(handlerPath, directory);
  const texts = outputFiles.filter(({ path }) => path.endsWith('.cjs'));
  const written = `${directory}.${process.pid}`;
  await mkdir(written, { recursive: true });
  await Promise.all(texts.map((output) => writeCommonJs(output, outputFiles, written)));
  await replace(directory, written);
  return metafile;
}

/** The whole folder, since chunks of an earlier build would ship too; at once, since a local stack may be running on it. */
async function replace(directory: string, by: string): Promise<void> {
  const former = `${by}.former`;
  if (existsSync(directory)) renameSync(directory, former);
  renameSync(by, directory);
  await rm(former, { recursive: true, force: true });
}

/** The first pass splits, which esbuild does only for ES modules. */
function split(handlerPath: string, directory: string): Promise<Built> {
  return build({
    ...COMMON,
    entryPoints: { index: handlerPath },
    outdir: directory,
    outExtension: { '.js': '.cjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    sourcemap: 'external',
    mainFields: ['module', 'main'],
    alias: { redis: '@redis/client' }, // leaves out the modules for other Redis products
    loader: { '.html': 'text', '.css': 'text' },
    plugins: [compileContracts(), leaveOut(), browserBundle()],
    legalComments: 'none', // the licences are in NOTICES.txt beside the bundle
    metafile: true,
    write: false,
  });
}

/** The second pass makes CommonJS, which starts faster: require('node:http') costs 3 ms, its import 28 ms. */
async function writeCommonJs({ path, text }: OutputFile, outputs: readonly OutputFile[], folder: string) {
  const map = outputs.find((output) => output.path === `${path}.map`)!;
  const sourceMap = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map.contents).toString('base64')}`;
  const written = await transform(`${text}\n${sourceMap}`, {
    ...COMMON,
    format: 'cjs',
    sourcemap: 'external',
    supported: { 'dynamic-import': false }, // the AWS SDK's imports become requires, which saves 10 ms
  });
  const file = join(folder, basename(path));
  await writeFile(file, written.code);
  await writeFile(`${file}.map`, written.map);
}
