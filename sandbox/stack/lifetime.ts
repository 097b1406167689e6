import { setTimeout as wait } from 'node:timers/promises';
import { ScriptError } from '#scripts/build/script-error.ts';

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const EXIT_NOTICE_MS = 300;
const PARENT_CHECK_MS = 500;

/** Runs the stack until its work is done, a signal arrives, or a part of it exits. Then closes every part. */
export class Lifetime {
  readonly #closers: (() => unknown)[] = [];
  readonly #ended = Promise.withResolvers<ScriptError>();
  #isServing = false;

  constructor() {
    for (const [signal, exitCode] of Object.entries(EXIT_CODES)) {
      process.on(signal, () => this.end(new ScriptError(`Stopped by ${signal}`, this.#isServing ? 0 : exitCode)));
    }
    if (process.env.npm_lifecycle_event) this.#watchParent();
  }

  /** npm does not forward signals, so the parent's id is polled. */
  #watchParent(): void {
    const parent = process.ppid;
    const check = () => {
      if (process.ppid !== parent) this.end(new ScriptError('Stopped with npm', EXIT_CODES.SIGTERM));
    };
    setInterval(check, PARENT_CHECK_MS).unref();
  }

  /** Closes a part when the run ends, the last opened first. */
  onClose(closer: () => unknown): void {
    this.#closers.unshift(closer);
  }

  end(reason: ScriptError): void {
    this.#ended.resolve(reason);
  }

  /** Waits for a signal, which is the expected end from now on. */
  async serve(): Promise<never> {
    this.#isServing = true;
    throw await this.#ended.promise;
  }

  /** Does the work, closes every part, and returns the exit code. */
  async run(work: () => Promise<number>): Promise<number> {
    // Calls to an exited part fail first; its exit, reported a moment later, is the better reason.
    const worked = work().catch((error: unknown) => Promise.race([this.#ended.promise, wait(EXIT_NOTICE_MS, error)]));
    const outcome = await Promise.race([worked, this.#ended.promise]);
    for (const close of this.#closers) await this.#tryTo(close);
    if (typeof outcome === 'number') return outcome;
    console.error(outcome instanceof ScriptError ? `\n${outcome.message}` : outcome);
    return outcome instanceof ScriptError ? outcome.exitCode : 1;
  }

  /** Closes all parts, even if one fails to close. */
  async #tryTo(close: () => unknown): Promise<void> {
    try {
      await close();
    } catch (error) {
      console.error(error);
    }
  }
}
