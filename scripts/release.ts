import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments, ScriptError } from './arguments.ts';
import { notesOf, releaseNotes, withTarball, withVersion } from './release/release.ts';

/*
 * npm run release -- <version>: moves what CHANGELOG.md lists under "Unreleased" to the version, and sets the version in
 * package.json, package-lock.json and the generated files. Commits and publishes nothing. With --notes it prints what the
 * changelog lists for the version that is there.
 */

const { positionals, values } = readArguments({
  command: 'npm run release',
  about: 'Moves what CHANGELOG.md lists under "Unreleased" to a version, and sets the version everywhere.',
  takes: '<version>',
  positionals: 1,
  options: { notes: { type: 'boolean', about: 'print the notes of the version that is there, and change nothing' } },
  examples: ['npm run release -- 0.2.0'],
  notes: 'It commits and publishes nothing: review, commit and tag the result.',
});

if (values.notes) {
  console.log(currentNotes());
  process.exit();
}
if (positionals.length === 0) throw new ScriptError('It takes a version: see npm run release -- --help');
const [version] = positionals as [string];
for (const [path, contents] of changesOf(version)) writeFileSync(path, contents);
spawnSync(process.execPath, ['scripts/generate.ts'], { stdio: 'inherit' });
console.log(`Released ${version}. Now: git commit -am "Release ${version}" && git tag v${version}`);

function currentNotes(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  try {
    return notesOf(readFileSync('CHANGELOG.md', 'utf8'), version);
  } catch (error) {
    throw new ScriptError((error as Error).message);
  }
}

/** The new contents of each file, by its path. */
function changesOf(version: string): [string, string][] {
  const read = (path: string) => readFileSync(path, 'utf8');
  try {
    return [
      ['package.json', withVersion(read('package.json'), version)],
      ['package-lock.json', withVersion(read('package-lock.json'), version)],
      ['docs/client.md', withTarball(read('docs/client.md'), version)],
      ['CHANGELOG.md', releaseNotes(read('CHANGELOG.md'), version, new Date())],
    ];
  } catch (error) {
    throw new ScriptError((error as Error).message);
  }
}
