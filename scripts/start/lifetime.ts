import { setTimeout as wait } from 'node:timers/promises';

/** Ends the run before its time; the message is for the user. */
export class ScriptError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const LAST_WORDS_MS = 300;
const PARENT_CHECK_MS = 500;

/** How long the stack lives: until its work is done, a signal comes, or a part of it dies. Then everything is closed. */
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

  /** A signal to npm ends its shell, which does not pass it on: that we lost our parent tells of it. */
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

  end(ending: ScriptError): void {
    this.#ended.resolve(ending);
  }

  /** Stays until a signal, which now is the expected end. */
  async serve(): Promise<never> {
    this.#isServing = true;
    throw await this.#ended.promise;
  }

  /** Does the work, closes everything, and gives the exit code. */
  async run(work: () => Promise<number>): Promise<number> {
    // A part that dies fails the calls to it: its death is the better reason, and comes a moment later.
    const worked = work().catch((error: unknown) => Promise.race([this.#ended.promise, wait(LAST_WORDS_MS, error)]));
    const outcome = await Promise.race([worked, this.#ended.promise]);
    for (const close of this.#closers) await this.#tryTo(close);
    if (typeof outcome === 'number') return outcome;
    console.error(outcome instanceof ScriptError ? `\n${outcome.message}` : outcome);
    return outcome instanceof ScriptError ? outcome.exitCode : 1;
  }

  /** One part that does not close well keeps no other open. */
  async #tryTo(close: () => unknown): Promise<void> {
    try {
      await close();
    } catch (error) {
      console.error(error);
    }
  }
}
