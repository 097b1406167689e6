import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { releaseNotes, withVersion } from './release/release.ts';

/*
 * npm run release -- <version>: moves what CHANGELOG.md lists under "Unreleased" to the version, and sets the version in
 * package.json, package-lock.json and the generated files. Commits and publishes nothing.
 */

const USAGE = `npm run release -- <version>

Moves CHANGELOG.md's "Unreleased" to <version>, with today's date, and sets it in package.json, package-lock.json and the
OpenAPI document. Review, commit and tag the result.

Example: npm run release -- 0.2.0`;

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  if (values.help) console.log(USAGE);
  else if (positionals.length === 1) release(positionals[0]!);
  else throw new Error(USAGE);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function release(version: string): void {
  const read = (path: string) => readFileSync(path, 'utf8');
  const changed = [
    ['CHANGELOG.md', releaseNotes(read('CHANGELOG.md'), version, new Date())],
    ['package.json', withVersion(read('package.json'), version)],
    ['package-lock.json', withVersion(read('package-lock.json'), version)],
  ] as const;
  for (const [path, text] of changed) writeFileSync(path, text);
  spawnSync(process.execPath, ['scripts/generate.ts'], { stdio: 'inherit' });
  console.log(`Released ${version}. Now: git commit -am "Release ${version}" && git tag v${version}`);
}
