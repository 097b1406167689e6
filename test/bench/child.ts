import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { limit, type Limit } from '#test/support/processor.ts';

/**
 * Runs a file of processes/ in a process of its own: sends it the input, and waits for what it measured.
 *
 * @param share of a core that the process has from when it says that it is warm; all of it by default
 */
export async function runChild<T>(
  file: string,
  input: object,
  env: Record<string, string> = {},
  share = 1,
): Promise<T> {
  const path = fileURLToPath(new URL(`processes/${file}`, import.meta.url));
  const child = fork(path, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const failed = exited.then(([code, signal]) => {
    throw new Error(`${file} ended with ${String(code ?? signal)} before it answered`);
  });
  failed.catch(() => {}); // it also ends after its response
  const answer = async () => ((await Promise.race([once(child, 'message'), failed])) as unknown[])[0];
  child.send(input);
  let result = await answer();
  let limited: Limit | undefined;
  if (result === 'warm') {
    limited = limit(child.pid!, share);
    child.send('go on');
    result = await answer();
  }
  child.kill();
  await exited;
  await limited?.remove();
  return result as T;
}
