import { fork } from 'node:child_process';
import { once } from 'node:events';
import { limit } from '#test/support/processor.ts';

/**
 * Runs a file of processes/ in a process of its own: sends it the input, and waits for what it measured.
 *
 * @param share of a core that the process has; all of it by default
 */
export async function runChild<T>(
  file: string,
  input: unknown,
  env: Record<string, string> = {},
  share = 1,
): Promise<T> {
  const path = new URL(`processes/${file}`, import.meta.url).pathname;
  const child = fork(path, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const answered = new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)));
  const limited = limit(child.pid!, share);
  child.send(input as object);
  const failed = exited.then(([code, signal]) => {
    throw new Error(`${file} ended with ${String(code ?? signal)} before it answered`);
  });
  failed.catch(() => {}); // it also ends after its response
  const result = await Promise.race([answered, failed]);
  child.kill();
  await exited;
  await limited.remove();
  return result;
}
