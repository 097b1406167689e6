import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ScriptError } from './script-error.ts';
import { type Lifetime } from './lifetime.ts';
import { ROOT } from './names.ts';

const LOGS = join(ROOT, '.build');
const SHOWN_LINES = 15;
const GRACE_MS = 3000;

export interface ChildOptions {
  /** Its display name, also the name of its log. */
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
}

/** Where a child's output goes. */
export const logOf = (name: string) => join(LOGS, `${name}.log`);

/**
 * Starts a program that runs as long as the stack. If it exits earlier, the stack stops and reports it.
 *
 * @throws what `spawn` does when the program cannot be started, `ENOENT` when there is none
 */
export async function startChild({ name, command, args, env }: ChildOptions, lifetime: Lifetime): Promise<void> {
  mkdirSync(LOGS, { recursive: true });
  const log = openSync(logOf(name), 'w');
  // A process group of its own: Ctrl-C in the terminal reaches this process alone, which closes its parts in order.
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
    lifetime.end(new ScriptError(`${name} exited (${signal ?? `exit code ${code}`}). ${endOfLog(name)}`));
  const kill = () => child.kill('SIGKILL');
  child.once('exit', died);
  process.once('exit', kill); // nothing but SIGKILL ends this process without
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

/** The last lines of a child's log, and where the rest is. */
export function endOfLog(name: string): string {
  const lines = readFileSync(logOf(name), 'utf8').split('\n').filter(Boolean).slice(-SHOWN_LINES);
  return `The end of ${logOf(name)}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
