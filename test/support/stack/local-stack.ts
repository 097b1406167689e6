import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '#sandbox/network/free-port.ts';

const START = fileURLToPath(new URL('../../../scripts/start.ts', import.meta.url));

/** `npm start`, in a separate process on separate ports. */
export interface LocalStack {
  readonly url: string;
  readonly ports: { http: number; lambda: number };
  /** What it printed so far, on both streams. */
  readonly output: string;
  /** Waits until it printed this; fails when it ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  /** Ends it, where it has not ended. */
  stop(): Promise<void>;
  /** Waits for its end, and gives the exit code. */
  ended(): Promise<number | null>;
  /** Command lines of its processes that still run. */
  processes(): string[];
}

export async function startLocalStack(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<LocalStack> {
  const ports = { http: await freePort(), lambda: await freePort() };
  return spawnLocalStack(ports, args, env);
}

/** The same on these ports, whoever has them. */
export function spawnLocalStack(ports: LocalStack['ports'], args: string[], env = process.env): LocalStack {
  const portArgs = ['--port', String(ports.http), '--lambda-port', String(ports.lambda)];
  const child = spawn(process.execPath, [START, ...portArgs, ...args], { env });
  const end = once(child, 'close');
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  return {
    url: `http://localhost:${ports.http}`,
    ports,
    get output() {
      return output;
    },
    printed: (pattern) => waitFor(pattern, () => output, listeners, end),
    kill: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      await end;
    },
    ended: async () => {
      await end;
      return child.exitCode;
    },
    processes: () => familyOf(child, ports, output),
  };
}

function waitFor(pattern: RegExp, read: () => string, listeners: Set<() => void>, end: Promise<unknown>) {
  return new Promise<RegExpExecArray>((resolve, reject) => {
    const poll = () => {
      const found = pattern.exec(read());
      if (!found) return;
      listeners.delete(poll);
      resolve(found);
    };
    listeners.add(poll);
    poll();
    void end.then(() => reject(new Error(`It ended without printing ${pattern}:\n${read()}`)));
  });
}

function familyOf({ pid }: ChildProcess, { lambda }: LocalStack['ports'], output: string): string[] {
  const redisPort = /redis-server of this machine, on port (\d+)/.exec(output)?.[1] ?? 'none';
  const marks = [`--lambdaPort ${lambda} `, `redis-server 127.0.0.1:${redisPort}`];
  const { stdout } = spawnSync('ps', ['-eo', 'pid,args', '-ww'], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.trim().startsWith(`${pid} `) || marks.some((mark) => line.includes(mark)));
}
