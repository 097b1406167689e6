import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { browserBundle } from './browser-bundle.ts';
import { compileContracts } from './compile-contracts.ts';
import { lambdaCredentials } from './lambda-credentials.ts';
import { leanSdk } from './lean-sdk.ts';
import { Sidecars, sidecars } from './sidecars.ts';
import { trimRedis } from './trim-redis.ts';

/** What one function is made of: every source that was read, and its output files. */
export type Bundle = Metafile;

/**
 * Bundles one function: `<directory>/index.cjs`, minified, and a file for each module that it imports dynamically.
 * Source maps lie beside them but are not shipped, so no comment refers to them: `npm run trace` reads them.
 */
export async function bundleFunction(handlerPath: string, directory: string): Promise<Bundle> {
  const pending = new Map([[handlerPath, join(directory, 'index.cjs')]]);
  const names = new Sidecars();
  const whole: Bundle = { inputs: {}, outputs: {} };
  for (const [source, outfile] of pending) {
    const found = (path: string, file: string) => pending.set(path, join(directory, file));
    const { inputs, outputs } = await bundle(source, outfile, names, found);
    Object.assign(whole.inputs, inputs);
    Object.assign(whole.outputs, outputs);
  }
  return whole;
}

type Found = (source: string, file: string) => void;

async function bundle(source: string, outfile: string, names: Sidecars, found: Found): Promise<Bundle> {
  const { metafile } = await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    minify: true,
    sourcemap: 'external',
    sourcesContent: false,
    platform: 'node',
    target: 'node24',
    format: 'cjs', // starts faster than ESM: require('node:http') costs 3 ms, its import 28 ms
    mainFields: ['module', 'main'],
    alias: {
      redis: '@redis/client', // leaves out the modules for other Redis products
      'web-streams-polyfill/dist/ponyfill.es2018.js': 'node:stream/web', // 60 kB for Node before 18
    },
    supported: { 'dynamic-import': false }, // the AWS SDK's imports become requires, which saves 10 ms
    loader: { '.html': 'text', '.css': 'text' },
    plugins: [compileContracts(), trimRedis(), lambdaCredentials(), leanSdk(), sidecars(names, found), browserBundle()],
    legalComments: 'none', // the licences are in NOTICES.txt beside the bundle
    logLevel: 'warning',
    metafile: true,
  });
  return metafile;
}
