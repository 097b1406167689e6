import type { Bundle } from './bundle.ts';

const LARGEST = 8;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0).padStart(6)} kB`;

/** Prints the parts of each function's size, the largest packages first. */
export function printReport(built: ReadonlyMap<string, Bundle>): void {
  for (const [name, { outputs }] of built) {
    for (const [file, { bytes, inputs }] of Object.entries(outputs)) {
      if (!file.endsWith('.cjs')) continue;
      console.log(`\n${kilobytes(bytes)}  ${name} (${file.split('/').at(-1)!})`);
      const parts = [...sumByPackage(inputs)].sort(([, a], [, b]) => b - a);
      for (const [part, size] of parts.slice(0, LARGEST)) console.log(`  ${kilobytes(size)}  ${part}`);
      const rest = parts.slice(LARGEST).reduce((sum, [, size]) => sum + size, 0);
      if (rest > 0) console.log(`  ${kilobytes(rest)}  everything else`);
    }
  }
}

function sumByPackage(inputs: Bundle['outputs'][string]['inputs']): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const part = packageOf(path);
    sums.set(part, (sums.get(part) ?? 0) + bytesInOutput);
  }
  return sums;
}

function packageOf(path: string): string {
  const inPackages = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return (
    inPackages ??
    (path.startsWith('compiled-validator:') ? 'compiled validators' : path.split('/').slice(0, 2).join('/'))
  );
}
