import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '#scripts/build/root.ts';

/**
 * The files of the project, relative to it, without those that `.gitignore` names. An index of its own lists them,
 * because whoever downloads the project as an archive has none.
 *
 * @param pattern such as `*.md`, in any folder
 */
export function projectFiles(pattern = '*'): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'index-'));
  try {
    execFileSync('git', ['init', '--quiet', folder]);
    const which = ['ls-files', '--others', '--exclude-standard', '-z', pattern];
    const all = ['--git-dir', join(folder, '.git'), '--work-tree', ROOT, ...which];
    return execFileSync('git', all, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
