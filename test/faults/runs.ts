import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startLambda, type InvocationFailure, type Lambda, type LambdaOptions } from '#sandbox/aws/lambda.ts';
import { limit, processorMs, type Limit } from '#test/support/processor.ts';
import type { Report } from './ledger.ts';

export interface RunsOptions {
  readonly env: Record<string, string>;
  /** Where the packaged functions are; default those of this checkout. */
  readonly bundles?: string | undefined;
  /** Maximum runs at a time; further ones wait, as asynchronous invocations do. */
  readonly atOnce: number;
  readonly share: number;
  readonly invocationMs: number;
  readonly clocksAheadMs: readonly number[];
}

const WRONG_CLOCK = fileURLToPath(new URL('./wrong-clock.cjs', import.meta.url));
/** A run that is suspended may be so much later than its time; a machine that is busy makes all late. */
const OVERTIME_MS = 15_000;

interface Container {
  readonly lambda: Lambda;
  readonly limit: Limit;
  /** Whether it was suspended during this invocation. */
  wasSuspended: boolean;
  isKilled: boolean;
}

/**
 * Invocations of the packaged consumer, in containers as Lambda has them: each with its share of a core, used again.
 */
export class Runs {
  readonly #options: RunsOptions;
  readonly #live = new Set<Container>();
  readonly #busy = new Set<Container>();
  readonly #waiting: object[] = [];
  readonly #ended: Promise<void>[] = [];
  #starting = 0;
  #started = 0;
  /** Whether nothing more is begun. */
  #isClosed = false;
  /** Whether all containers are to end. */
  #isOver = false;
  kills = 0;
  invocations = 0;
  readonly reports: Report[] = [];
  /** What invocations failed with. */
  readonly failures: string[] = [];
  /** Log lines of containers that are gone; those of others are in `log`. */
  readonly #lines: string[] = [];
  #processorMs = 0;
  overtime = 0;
  crashes = 0;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  get busy(): readonly Container[] {
    return [...this.#busy];
  }

  /** How long each container waited for a core so far, in milliseconds. */
  get waitedMs(): ReadonlyMap<object, number> {
    return new Map([...this.#live].map((container) => [container, container.limit.waitedMs()]));
  }

  get isIdle(): boolean {
    return this.#busy.size + this.#starting + this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#busy.size + this.#starting >= this.#options.atOnce;
  }

  get log(): string[] {
    return [...this.#lines, ...[...this.#live].flatMap(({ lambda }) => lambda.log)];
  }

  /** Processor time of all containers so far. */
  get processorMs(): number {
    return this.#processorMs + [...this.#live].reduce((sum, { lambda }) => sum + processorMs(lambda.pid), 0);
  }

  invoke(parameters: object): void {
    if (this.#isClosed) return;
    if (this.isFull) this.#waiting.push(parameters);
    else this.#ended.push(this.#run(parameters));
  }

  /** Kills the containers that are at work, or one of them. */
  kill(which: number): boolean {
    const container = this.#pick(which);
    if (!container) return false;
    this.kills++;
    container.isKilled = true;
    container.lambda.kill('SIGCONT');
    container.lambda.kill('SIGKILL');
    return true;
  }

  async suspend(which: number, ms: number): Promise<void> {
    const container = this.#pick(which);
    if (!container) return;
    container.wasSuspended = true;
    container.lambda.kill('SIGSTOP');
    await sleep(ms);
    container.lambda.kill('SIGCONT');
  }

  /** Waits for those that are at work. Nothing more is begun. */
  async ended(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.length = 0;
    await Promise.all(this.#ended);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#isClosed = true;
    this.#waiting.length = 0;
    for (const container of this.#live) await this.#end(container);
    await Promise.all(this.#ended);
  }

  #pick(which: number): Container | undefined {
    return this.busy[Math.floor(which * this.#busy.size)];
  }

  async #run(parameters: object): Promise<void> {
    const container = await this.#take();
    if (this.#isOver) return void (await this.#end(container));
    this.#busy.add(container);
    container.wasSuspended = false;
    this.invocations++;
    const { invocationMs: timeoutMs } = this.#options;
    const timer = setTimeout(() => {
      if (!container.wasSuspended) this.overtime++;
      container.isKilled = true;
      container.lambda.kill('SIGKILL');
    }, timeoutMs + OVERTIME_MS);
    try {
      this.reports.push(await container.lambda.invoke<Report>('stream-consumer', parameters, { timeoutMs }));
    } catch (error) {
      const { errorType, errorMessage } = error as InvocationFailure;
      if (errorType !== 'Runtime.ExitError') this.failures.push(`${errorType}: ${errorMessage}`);
      else {
        if (!container.isKilled && !this.#isOver) this.crashes++;
        await this.#end(container);
      }
    } finally {
      clearTimeout(timer);
      this.#busy.delete(container);
    }
    const next = this.#waiting.shift();
    if (next) this.invoke(next);
  }

  async #take(): Promise<Container> {
    const free = [...this.#live].find((container) => !this.#busy.has(container));
    if (free) {
      this.#busy.add(free);
      return free;
    }
    this.#starting++;
    try {
      const { bundles, share } = this.#options;
      const lambda = await startLambda({ ...this.#environment(), bundles });
      // Lambda starts containers with a whole core
      await lambda.invoke('stream-consumer', { unknown: 1 }, { timeoutMs: 1000 }).catch(() => {});
      const container = { lambda, limit: limit(lambda.pid, share), wasSuspended: false, isKilled: false };
      this.#live.add(container);
      return container;
    } finally {
      this.#starting--;
    }
  }

  #environment(): Pick<LambdaOptions, 'env' | 'execArgv'> {
    const { env, clocksAheadMs: clocks } = this.#options;
    if (clocks.length === 0) return { env };
    const first = this.#started++ % clocks.length;
    const ahead = [...clocks.slice(first), ...clocks.slice(0, first)];
    return { env: { ...env, CLOCKS_AHEAD_MS: ahead.join() }, execArgv: ['--require', WRONG_CLOCK] };
  }

  async #end(container: Container): Promise<void> {
    if (!this.#live.delete(container)) return;
    this.#lines.push(...container.lambda.log);
    this.#processorMs += processorMs(container.lambda.pid);
    container.lambda.kill('SIGCONT');
    container.lambda.kill('SIGKILL');
    await container.limit.remove();
  }
}
