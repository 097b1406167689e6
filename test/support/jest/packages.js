import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** Packages of hundreds of modules, which most test files load, and the format of each. */
const PACKAGES = { redis: 'cjs', typebox: 'esm' };
const EXTENSIONS = { cjs: '.cjs', esm: '.mjs' };

/**
 * Bundles each of these packages, as the bundles of functions have them, and maps its name to the bundle. Jest reads
 * the modules of a package anew for each test file, and those of redis took a third of a second.
 *
 * @param root the folder of the checkout
 */
export function bundlePackages(root) {
  return Object.fromEntries(
    Object.entries(PACKAGES).map(([name, format]) => [`^${name}$`, bundle(root, name, format)]),
  );
}

function bundle(root, name, format) {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  const folder = join(root, '.build/test-packages');
  const outfile = join(folder, `${name}-${version}${EXTENSIONS[format]}`);
  if (existsSync(outfile)) return outfile;
  mkdirSync(folder, { recursive: true });
  const own = `${outfile}.${process.pid}`; // several runs may begin at once
  buildSync({ entryPoints: [name], absWorkingDir: root, outfile: own, bundle: true, format, platform: 'node' });
  renameSync(own, outfile);
  return outfile;
}
