import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

/** Builds and packages all functions, and unpacks the zips as Lambda would, each into `<directory>/<function>/`. */
export function unpackFunctions(directory: string): void {
  const packages = join(directory, 'packages');
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'pipe' });
  execFileSync('serverless', ['package', '--package', packages], { stdio: 'pipe' });
  for (const zip of readdirSync(packages).filter((file) => file.endsWith('.zip'))) {
    for (const [path, bytes] of Object.entries(unzipSync(readFileSync(join(packages, zip))))) {
      const file = join(directory, zip.slice(0, -'.zip'.length), path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
  }
}

/** The bundle of an unpacked function. */
export function bundleOf(directory: string, name: string): string {
  return join(directory, name, 'dist', name, 'index.cjs');
}
