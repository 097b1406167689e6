import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { projectFiles } from '#test/support/project-files.ts';

/* node scripts/release.ts on a copy of the project, as its files are now. */

const { version: BEFORE } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const VERSION = `${Number(BEFORE.split('.')[0]) + 1}.0.0`;
const folder = mkdtempSync(join(tmpdir(), 'release-'));
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
const compiled = mkdtempSync(join(tmpdir(), 'release-compiled-')); // not in that of the project: it keeps each file
const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
const script = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const json = (path: string) => JSON.parse(read(path)) as { version: string; info: { version: string } };

beforeAll(() => {
  for (const file of projectFiles()) cpSync(file, join(folder, file));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  git('init', '--quiet');
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  const changelog = read('CHANGELOG.md').replace(/^## Unreleased\n[^]*?(?=^## )/m, '## Unreleased\n\n- A thing.\n\n');
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Before');
}, 60_000);
afterAll(() => [folder, compiled].forEach((one) => rmSync(one, { recursive: true })));

it('npm run release refuses a tree with uncommitted changes, and changes nothing', () => {
  appendFileSync(join(folder, 'README.md'), 'more\n');

  const { status, stderr } = script('scripts/release.ts', VERSION);

  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(' M README.md') });
  expect(git('status', '--porcelain')).toBe(' M README.md\n');
  git('checkout', '--quiet', '.');
});

it('npm run release sets the version everywhere, keeps the OpenAPI document, and prints what to tag', () => {
  const { status, stdout, stderr } = script('scripts/release.ts', VERSION);

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(`git tag --annotate v${VERSION} `);
  expect(['package.json', 'package-lock.json'].map((path) => json(path).version)).toEqual([VERSION, VERSION]);
  expect(json('docs/openapi.json').info.version).toBe(VERSION);
  const kept = gunzipSync(readFileSync(join(folder, 'scripts/check/last-release.json.gz'))).toString();
  expect(kept).toBe(read('docs/openapi.json'));
  const day = new Date().toISOString().slice(0, 10);
  expect(read('CHANGELOG.md')).toContain(`## Unreleased\n\n## ${VERSION} — ${day}\n\n- A thing.\n\n## ${BEFORE} `);
  expect(read('docs/client.md')).toContain(`mdm-stream-functions-${VERSION}.tgz`);
  expect(read('docs/guides/cdk.md')).toContain(`mdm-stream-functions-${VERSION}.tgz`);
  expect(read('docs/upgrade.md')).toContain(`git checkout v${VERSION} && npm ci && npm run deploy`);
  expect(read('scripts/check/accepted-changes.ts')).toMatch(/= \[\];\n$/);
});

it('npm run release leaves nothing stale, and later changes are compared with it', () => {
  expect(script('scripts/generate.ts', '--check').stdout).toBe('Generated files are current\n');

  const document = read('docs/openapi.json');
  writeFileSync(join(folder, 'docs/openapi.json'), document.replace('"/stream/xlen"', '"/stream/xlength"'));

  expect(script('scripts/check/callers.ts').stderr.trim().split('\n')).toEqual([
    `breaks callers of ${VERSION}: POST /stream/xlen is gone`,
    'docs/openapi.json: 1 findings',
  ]);
});
