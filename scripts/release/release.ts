const UNRELEASED = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m;
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/**
 * The changelog with everything under "Unreleased" moved to a version.
 *
 * @throws {Error} if nothing is listed, or the version is listed already
 */
export function releaseNotes(changelog: string, version: string, date: Date): string {
  const [, notes = ''] = UNRELEASED.exec(changelog) ?? [];
  if (notes.trim() === '') throw new Error('CHANGELOG.md lists nothing under "## Unreleased"');
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has a section for ${version} already`);
  const day = date.toISOString().slice(0, 10);
  return changelog.replace(UNRELEASED, () => `## Unreleased\n\n## ${version} — ${day}\n${notes}`);
}

/**
 * The changelog's section for a version.
 *
 * @throws {Error} if it has none
 */
export function notesOf(changelog: string, version: string): string {
  const [, rest] = changelog.split(`\n## ${version} `);
  if (rest === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
  const lines = rest.split('\n').slice(1);
  const end = lines.findIndex((line) => line.startsWith('## '));
  return (end === -1 ? lines : lines.slice(0, end)).join('\n').trim();
}

/**
 * package.json or package-lock.json with another version of the project.
 *
 * @throws {Error} when the version is none, or not next after the one there
 */
export function withVersion(json: string, version: string): string {
  const file = JSON.parse(json) as { version: string; packages?: { '': { version: string } } };
  if (!VERSION.test(version)) throw new Error(`${version} is not a version such as 1.2.3`);
  const next = nextOf(file.version);
  if (!next.includes(version))
    throw new Error(`${version} is not next after ${file.version}: that is ${next.join(', ')}`);
  file.version = version;
  if (file.packages) file.packages[''].version = version;
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** A page with the names of the client's tarball, and of the tag to upgrade to, in another version. */
export const withNames = (page: string, version: string): string =>
  page
    .replaceAll(/(mdm-stream-functions)-\d+\.\d+\.\d+\.tgz/g, `$1-${version}.tgz`)
    .replaceAll(/(Deploy: `git checkout) v\d+\.\d+\.\d+/g, `$1 v${version}`);

/**
 * The table of accepted changes without its rows: they are about the release before, and the next one is compared with
 * this.
 */
export const withoutRows = (table: string): string => table.replace(/= \[\n[^]*\n\];/, '= [];');

/** The versions that may follow: a patch, a minor, a major one. */
function nextOf(version: string): string[] {
  const [major, minor, patch] = VERSION.exec(version)!.slice(1).map(Number) as [number, number, number];
  return [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`];
}
