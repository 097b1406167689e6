import { execFileSync } from 'node:child_process';

/** Follows the commit if files of the checkout differ from it. */
export const WITH_CHANGES = '+changes';

/** The commit of this checkout, with `+changes` if files differ from it; undefined outside of a Git checkout. */
export function commitOfCheckout(folder = import.meta.dirname): string | undefined {
  const git = gitIn(folder);
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no');
    return git('rev-parse', 'HEAD') + (changed === '' ? '' : WITH_CHANGES);
  } catch {
    return undefined; // no Git, or an unpacked archive
  }
}

/** The number of commits from one to the other; undefined if this checkout does not know both. */
export function commitsBetween(from: string, to: string, folder = import.meta.dirname): number | undefined {
  try {
    return Number(gitIn(folder)('rev-list', '--count', `${from}..${to}`));
  } catch {
    return undefined;
  }
}

const gitIn =
  (cwd: string) =>
  (...args: string[]): string =>
    execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
