import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { releaseNotes, withNames, withVersion } from '#scripts/release/release.ts';

const DATE = new Date('2027-02-03T23:00:00Z');
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 — 2026-01-01\n\n- The first.\n';

it('a release moves the notes under "Unreleased" to the version, and keeps the older ones', () => {
  expect(releaseNotes(CHANGELOG, '0.2.0', DATE)).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 — 2027-02-03\n\n### Added\n\n- A thing.\n\n## 0.1.0 — ' +
      '2026-01-01\n\n- The first.\n',
  );
});

it('a first release moves its notes too', () => {
  expect(releaseNotes('# Changelog\n\n## Unreleased\n\n- A $& thing.\n', '0.1.0', DATE)).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.1.0 — 2027-02-03\n\n- A $& thing.\n',
  );
});

it('a release is refused without notes, or for a version that is already listed', () => {
  const released = releaseNotes(CHANGELOG, '0.2.0', DATE);

  expect(() => releaseNotes(released, '0.3.0', DATE)).toThrow('CHANGELOG.md lists nothing under "## Unreleased"');
  expect(() => releaseNotes(CHANGELOG, '0.1.0', DATE)).toThrow('CHANGELOG.md has a section for 0.1.0 already');
});

it.each(['package.json', 'package-lock.json'])('a release changes only the version in %s', (path) => {
  const before = readFileSync(path, 'utf8');
  const { version } = JSON.parse(before) as { version: string };

  const next = `${Number(version.split('.')[0]) + 1}.0.0`;
  const after = withVersion(before, next);
  const lines = before.split('\n');

  expect(after).not.toBe(before);
  expect(after.split('\n').filter((line, at) => line !== lines[at])).toEqual(
    path === 'package.json' ? [`  "version": "${next}",`] : [`  "version": "${next}",`, `      "version": "${next}",`],
  );
  expect(() => withVersion(before, version)).toThrow(`${version} is not next after ${version}`);
});

it.each([
  ['0.9.10', true],
  ['0.10.0', true],
  ['1.0.0', true],
  ['0.9.9', false],
  ['0.8.20', false],
  ['0.9.11', false],
  ['0.10.1', false],
  ['2.0.0', false],
  ['1.0', false],
  ['v1.0.0', false],
])('the next release after 0.9.9 may be %s: %p', (version, isAllowed) => {
  const attempt = () => withVersion('{"version":"0.9.9"}', version);

  if (isAllowed) expect(JSON.parse(attempt())).toEqual({ version });
  else expect(attempt).toThrow(version);
});

it("a release updates the version of the client's tarball and of the upgrade tag, and no other", () => {
  const page = (version: string) =>
    `npm install ../mdm-stream-functions-${version}.tgz\n4. Deploy: \`git checkout v${version} && npm ci\`\n` +
    'or an earlier one: `git checkout v0.1.0 && npm ci`';

  expect(withNames(page('0.1.0'), '0.2.0')).toBe(page('0.2.0'));
});
