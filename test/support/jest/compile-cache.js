import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Three times what a whole run makes. */
const MOST_FILES = 30_000;

/**
 * The folder in which Node keeps what it compiled, for programs that tests start. Node never removes a file of it, and
 * each change of a source adds one, so a folder of too many begins anew.
 *
 * @param root the folder of the checkout
 */
export function compileCache(root) {
  const folder = join(root, '.build/compiled');
  if (existsSync(folder) && readdirSync(folder, { recursive: true }).length > MOST_FILES) {
    rmSync(folder, { recursive: true, force: true });
  }
  return folder;
}
