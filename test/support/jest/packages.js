import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { leaveOut } from '../../../scripts/build/leave-out.ts';
import { LEFT_OUT } from '../../../scripts/build/left-out.ts';

/** Packages of hundreds of modules, which most test files load, by the name that they are imported by. */
const PACKAGES = {
  // as it ships: all of its command methods took a fifth of a second a file
  redis: {
    entry: '@redis/client',
    extension: '.cjs',
    options: { format: 'cjs', plugins: [leaveOut()], external: ['@opentelemetry/api'] },
  },
  '@opentelemetry/api': { entry: '@opentelemetry/api', extension: '.cjs', options: { format: 'cjs' } },
  typebox: { entry: 'typebox', extension: '.mjs', options: { format: 'esm' } },
};

/**
 * Bundles each of these packages, as the bundles of functions have them, and maps its name to the bundle. Jest reads
 * the modules of a package anew for each test file.
 *
 * @param root the folder of the checkout
 */
export async function bundlePackages(root) {
  const bundled = Object.entries(PACKAGES).map(async ([name, how]) => [`^${name}$`, await bundle(root, name, how)]);
  return Object.fromEntries(await Promise.all(bundled));
}

async function bundle(root, name, { entry, extension, options }) {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', entry, 'package.json'), 'utf8'));
  const folder = join(root, '.build/test-packages');
  const outfile = join(folder, `${name.replace('/', '+')}-${version}-${TABLE}${extension}`);
  if (existsSync(outfile)) return outfile;
  mkdirSync(folder, { recursive: true });
  const own = `${outfile}.${process.pid}`; // several runs may begin at once
  const common = { absWorkingDir: root, bundle: true, platform: 'node' };
  await build({ ...common, ...options, entryPoints: [entry], outfile: own });
  renameSync(own, outfile);
  return outfile;
}

/** Stands for what is left out. */
const TABLE = createHash('sha256').update(JSON.stringify(LEFT_OUT)).digest('hex').slice(0, 8);
