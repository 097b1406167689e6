import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eachLine } from '../each-line.ts';
import { startRuntimeApi, type InvocationOptions, type InvocationResult } from './runtime-api.ts';

const RUNTIME_CLIENT = createRequire(import.meta.url).resolve('aws-lambda-ric');
const NATIVE_PART = fileURLToPath(new URL('./rapid-client.cjs', import.meta.url));

export interface RuntimeOptions {
  /** Folder of the unpacked zip. */
  taskRoot: string;
  /** As in the function's configuration: `dist/stream-xadd/index.handler`. */
  handler: string;
  functionName: string;
  /** The function's environment, without Lambda's own variables. */
  env: Record<string, string>;
  memoryMb?: number;
  /** Node.js options, as `NODE_OPTIONS` of the function. */
  execArgv?: string[];
}

/** A Lambda container: AWS's own runtime client around a packaged function. */
export interface Runtime {
  /** The function's log lines. */
  readonly log: string[];
  /** Invokes the function after waiting invocations. Starts the container if necessary. */
  invoke(payload: string, options?: InvocationOptions): Promise<InvocationResult>;
  stop(): Promise<void>;
}

/**
 * Runs a packaged function like Lambda: in its own process, under aws-lambda-ric, with payloads as JSON text. A
 * function that reaches its timeout is killed, and the next invocation starts it again.
 *
 * @example
 * const handler = 'dist/stream-xadd/index.handler';
 * const runtime = await startRuntime({ taskRoot: '/tmp/unzipped', handler, functionName: 'xadd', env });
 * const { payload, functionError } = await runtime.invoke('{"key":"orders","entry":{"sku":"1"}}');
 */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const api = await startRuntimeApi(options.functionName);
  const log: string[] = [];
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const start = () => {
    child = spawnContainer(options, api.host);
    for (const stream of [child.stdout!, child.stderr!]) eachLine(stream, (line) => log.push(line));
    const started = child;
    child.once('exit', (code, signal) => {
      if (child !== started) return;
      child = undefined;
      api.fail(
        'Runtime.ExitError',
        `Error: Runtime exited with error: ${signal ? `signal: ${signal}` : `exit status ${code}`}`,
      );
    });
  };
  const stop = async () => {
    if (!child) return;
    const ended = once(child, 'exit');
    const running = child;
    child = undefined;
    running.kill('SIGKILL');
    await ended;
  };
  const invokeOne = async (payload: string, options: InvocationOptions & { timeoutMs: number }) => {
    const { timeoutMs } = options;
    if (!child) start();
    const timer = setTimeout(() => {
      void stop();
      api.fail('Sandbox.Timedout', `Error: Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`);
    }, timeoutMs);
    try {
      const result = await api.invoke(payload, options);
      await nextTurn(); // by then its lines, which were written before the result, are in the log
      return result;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    log,
    invoke(payload, options = {}) {
      const result = last.then(() => invokeOne(payload, { timeoutMs: 29_000, ...options }));
      last = result;
      return result;
    },
    async stop() {
      await stop();
      api.fail('Runtime.ExitError', 'Error: Runtime exited');
      await api.close();
    },
  };
}

function spawnContainer(
  { taskRoot, handler, functionName, env, memoryMb = 512, execArgv = [] }: RuntimeOptions,
  host: string,
) {
  return spawn(process.execPath, ['--require', NATIVE_PART, ...execArgv, RUNTIME_CLIENT], {
    cwd: taskRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      TZ: ':UTC',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      ...env,
      _HANDLER: handler,
      LAMBDA_TASK_ROOT: taskRoot,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_RUNTIME_API: host,
      AWS_LAMBDA_FUNCTION_NAME: functionName,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName}`,
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    },
  });
}
