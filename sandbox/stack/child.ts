import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ScriptError } from '#scripts/build/script-error.ts';
import { type Lifetime } from './lifetime.ts';
import { ROOT } from '#scripts/build/root.ts';

const LOGS = join(ROOT, '.build');
const SHOWN_LINES = 15;
const GRACE_MS = 3000;

export interface ChildOptions {
  /** Its display name. */
  name: string;
  /** The Lambda port of its stack: the name of its log has it, since several stacks may run. */
  lambdaPort: number;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
}

/** File for a child's output. */
export const logOf = (name: string, lambdaPort: number) => join(LOGS, `${name}-${lambdaPort}.log`);

/**
 * Starts a program that runs as long as the stack. If it exits earlier, the stack stops and reports it.
 *
 * @throws the error of `spawn` if the program cannot be started, `ENOENT` if it does not exist
 */
export async function startChild(options: ChildOptions, lifetime: Lifetime): Promise<void> {
  const { name, lambdaPort, command, args, env } = options;
  mkdirSync(LOGS, { recursive: true });
  const log = openSync(logOf(name, lambdaPort), 'w');
  // Its own process group: Ctrl-C in the terminal reaches only this process, which closes its parts in order.
  const child = spawn(command, args, {
    cwd: ROOT,
    env,
    stdio: ['ignore', log, log],
    detached: true,
    windowsHide: true,
  });
  closeSync(log);
  await once(child, 'spawn');

  const died = (code: number | null, signal: NodeJS.Signals | null) =>
    lifetime.end(new ScriptError(`${name} exited (${signal ?? `exit code ${code}`}). ${endOfLog(name, lambdaPort)}`));
  const kill = () => child.kill('SIGKILL');
  child.once('exit', died);
  process.once('exit', kill); // only SIGKILL ends this process without it
  lifetime.onClose(async () => {
    child.off('exit', died);
    await stop(child);
    process.off('exit', kill);
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([exited, wait(GRACE_MS, undefined, { ref: false })]);
  child.kill('SIGKILL');
  await exited;
}

/** The last lines of a child's log, and its path. */
export function endOfLog(name: string, lambdaPort: number): string {
  const path = logOf(name, lambdaPort);
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean).slice(-SHOWN_LINES);
  return `The end of ${path}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
