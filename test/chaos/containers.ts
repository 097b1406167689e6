import { setTimeout as sleep } from 'node:timers/promises';
import { startLambda, type InvocationFailure, type Lambda } from '#sandbox/aws/lambda.ts';

export interface ContainersOptions {
  env: Record<string, string>;
  /** Parameters of the consumer. */
  parameters: object;
  /** Time of an invocation, in milliseconds. */
  invocationMs: number;
}

/** What the harness looks at in a report. */
interface Report {
  stoppedBecause: string;
  read: number;
  processed: number;
  failed: number;
  deadLettered: number;
}

/** After a run with nothing to do, because nothing is due or others are at it, the next one comes later. */
const IDLE_MS = 300;
const hasWorked = ({ read, processed, failed, deadLettered }: Report) => read + processed + failed + deadLettered > 0;

/** Containers with the packaged consumer, as Lambda has them: replaced when they die, used again when they do not. */
export class Containers {
  readonly #options: ContainersOptions;
  readonly #live = new Set<Lambda>();
  readonly #busy = new Set<Lambda>();
  readonly #loops = new Set<Promise<void>>();
  #wanted = 0;
  #isOver = false;
  started = 0;
  kills = 0;
  /** Those that ended although nobody killed them. */
  crashes = 0;
  /** Invocations so far that found something to do. */
  runs = 0;
  /** How invocations ended, and how often so. */
  readonly stops: Record<string, number> = {};

  constructor(options: ContainersOptions) {
    this.#options = options;
  }

  /** Those that work on an invocation. */
  get busy(): readonly Lambda[] {
    return [...this.#busy];
  }

  /** Keeps so many at work, one invocation after the other. Those too many leave when theirs ends. */
  keep(count: number): void {
    this.#wanted = count;
    while (this.#loops.size < count) {
      const loop = this.#loop().finally(() => this.#loops.delete(loop));
      this.#loops.add(loop);
    }
  }

  /** Ends one that is at work without a word. Returns whether there was one. */
  kill(lambda = this.busy[0]): boolean {
    if (!lambda) return false;
    lambda.kill('SIGKILL');
    this.#forget(lambda);
    this.kills++;
    return true;
  }

  /** Invokes the consumer once, in a container that is free, or a new one. Returns whether the container lived. */
  async invoke(parameters: object = this.#options.parameters): Promise<boolean> {
    const lambda = [...this.#live].find((candidate) => !this.#busy.has(candidate)) ?? (await this.#start());
    if (this.#isOver) return false;
    this.#busy.add(lambda);
    try {
      const { invocationMs: timeoutMs } = this.#options;
      const report = await lambda.invoke<Report>('stream-consumer', parameters, { timeoutMs });
      this.#count(report.stoppedBecause);
      if (hasWorked(report)) this.runs++;
      else await sleep(IDLE_MS);
    } catch (error) {
      const { errorType, errorMessage } = error as InvocationFailure;
      if (errorType === 'Runtime.ExitError') {
        if (this.#live.delete(lambda) && !this.#isOver) this.crashes++;
        return false;
      }
      this.#count(`${errorType} ${errorMessage}`);
      await sleep(70);
    } finally {
      this.#busy.delete(lambda);
    }
    return true;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    for (const lambda of this.#live) lambda.kill('SIGKILL');
    await Promise.all(this.#loops);
  }

  async #loop(): Promise<void> {
    while (!this.#isOver && this.#loops.size <= this.#wanted) {
      await this.invoke();
      await sleep(30); // a schedule would be slower
    }
  }

  async #start(): Promise<Lambda> {
    this.started++;
    const lambda = await startLambda({ env: { ...this.#options.env, LOG_LEVEL: 'error' } });
    if (this.#isOver) lambda.kill('SIGKILL');
    else this.#live.add(lambda);
    return lambda;
  }

  #forget(lambda: Lambda): void {
    this.#live.delete(lambda);
    this.#busy.delete(lambda);
  }

  #count(what: string): void {
    this.stops[what] = (this.stops[what] ?? 0) + 1;
  }
}
