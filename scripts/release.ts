import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments, ScriptError, stop } from './arguments.ts';
import { releaseNotes, withVersion } from './release/release.ts';

/*
 * npm run release -- <version>: moves what CHANGELOG.md lists under "Unreleased" to the version, and sets the version in
 * package.json, package-lock.json and the generated files. Commits and publishes nothing.
 */

const { positionals } = readArguments({
  command: 'npm run release',
  about: 'Moves what CHANGELOG.md lists under "Unreleased" to a version, and sets the version everywhere.',
  takes: '<version>',
  positionals: 1,
  examples: ['npm run release -- 0.2.0'],
  notes: 'It commits and publishes nothing: review, commit and tag the result.',
});

try {
  if (positionals.length === 0) throw new ScriptError('It takes a version: see npm run release -- --help');
  release(positionals[0]!);
} catch (error) {
  stop(error);
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
