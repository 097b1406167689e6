import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ScriptError, type Lifetime } from './lifetime.ts';
import { ROOT } from './names.ts';

const LOGS = join(ROOT, '.build');
const TOLD_LINES = 15;
const GRACE_MS = 3000;

export interface ChildOptions {
  /** What the user knows it by; also names its log. */
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
}

/** Where a child's output goes. */
export const logOf = (name: string) => join(LOGS, `${name}.log`);

/**
 * Starts a program that lives as long as the run. Should it die before, the run ends and says so.
 *
 * @throws what `spawn` does when the program cannot be started, `ENOENT` when there is none
 */
export async function startChild({ name, command, args, env }: ChildOptions, lifetime: Lifetime): Promise<void> {
  mkdirSync(LOGS, { recursive: true });
  const log = openSync(logOf(name), 'w');
  // A process group of its own: the terminal's Ctrl-C reaches us alone, and we close our parts in order.
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
    lifetime.end(new ScriptError(`${name} died (${signal ?? `exit code ${code}`}). ${tellLog(name)}`));
  const kill = () => child.kill('SIGKILL');
  child.once('exit', died);
  process.once('exit', kill); // whatever ends us takes it along
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
export function tellLog(name: string): string {
  const lines = readFileSync(logOf(name), 'utf8').split('\n').filter(Boolean).slice(-TOLD_LINES);
  return `The end of ${logOf(name)}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
