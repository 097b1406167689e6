import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { attempt, readArguments, ScriptError } from './arguments.ts';
import { notesOf, releaseNotes, withoutRows, withNames, withVersion } from './release/release.ts';

/*
 * node scripts/release.ts <version>: moves what CHANGELOG.md lists under "Unreleased" to the version, sets the version
 * everywhere, and keeps the OpenAPI document that later versions are compared with. Commits and publishes nothing. With
 * --notes it prints the changelog's section for the current version.
 */

const { positionals, values } = readArguments({
  command: 'node scripts/release.ts',
  about:
    'Moves what CHANGELOG.md lists under "Unreleased" to a version, sets the version everywhere, and keeps its ' +
    'OpenAPI document.',
  takes: '<version>',
  positionals: 1,
  options: { notes: { type: 'boolean', about: 'print the notes of the version that is there, and change nothing' } },
  examples: ['node scripts/release.ts 0.2.0'],
  notes: 'It commits and publishes nothing: review, commit and tag the result.',
});

const ACCEPTED_CHANGES = 'scripts/check/accepted-changes.ts';

if (values.notes) {
  console.log(currentNotes());
  process.exit();
}
if (positionals.length === 0) throw new ScriptError('It takes a version: see node scripts/release.ts --help');
const [version] = positionals as [string];
const changes = changesOf(version);
refuseDirtyTree();
for (const [path, contents] of changes) writeFileSync(path, contents);
execFileSync(process.execPath, ['scripts/generate.ts'], { stdio: 'inherit' });
writeFileSync('scripts/check/last-release.json.gz', gzipSync(readFileSync('docs/openapi.json'), { level: 9 }));
console.log(`${version} is ready. Check it and publish its tag, v${version}:

  npm test
  git add --all && git commit --message "Release ${version}"
  git tag --annotate v${version} --message "Release ${version}"
  git push --follow-tags`);

/** Uncommitted changes would become part of the release unnoticed. */
function refuseDirtyTree(): void {
  const changed = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).trimEnd();
  if (changed !== '') throw new ScriptError(`Commit or stash these changes before a release:\n${changed}`);
}

function currentNotes(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  return attempt(() => notesOf(readFileSync('CHANGELOG.md', 'utf8'), version));
}

/** The new contents of each file, by its path. */
function changesOf(version: string): [string, string][] {
  const read = (path: string) => readFileSync(path, 'utf8');
  return attempt(() => [
    ['package.json', withVersion(read('package.json'), version)],
    ['package-lock.json', withVersion(read('package-lock.json'), version)],
    ...['docs/client.md', 'docs/guides/cdk.md', 'docs/upgrade.md'].map((path): [string, string] => [
      path,
      withNames(read(path), version),
    ]),
    [ACCEPTED_CHANGES, withoutRows(read(ACCEPTED_CHANGES))],
    ['CHANGELOG.md', releaseNotes(read('CHANGELOG.md'), version, new Date())],
  ]);
}
