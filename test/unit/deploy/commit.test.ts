import { afterAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitOfCheckout, commitsBetween } from '#deploy/commit.ts';

const folder = mkdtempSync(join(tmpdir(), 'commit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...args], {
    cwd: folder,
    stdio: 'ignore',
  });

it('a checkout reports its commit, and says if files differ from it', () => {
  expect(commitOfCheckout(folder)).toBeUndefined();
  git('init');
  writeFileSync(join(folder, 'a'), '1');
  git('add', 'a');
  git('commit', '-m', 'first');
  const first = commitOfCheckout(folder);
  writeFileSync(join(folder, 'a'), '2');
  const changed = commitOfCheckout(folder);
  git('commit', '-am', 'second');
  const second = commitOfCheckout(folder);

  expect(first).toMatch(/^[0-9a-f]{40}$/);
  expect(changed).toBe(`${first}+changes`);
  expect(commitsBetween(first!, second!, folder)).toBe(1);
  expect(commitsBetween('f'.repeat(40), second!, folder)).toBeUndefined();
});
