import { TestEnvironment } from 'jest-environment-node';

/** Time in which what is being closed may close, in milliseconds. */
const GRACE_MS = 2000;

/**
 * The environment of a test file. A file that passes, and leaves a socket, a server, a process or a timer open, fails:
 * its worker would not end.
 */
export default class Environment extends TestEnvironment {
  #before;
  #isPassing = false;

  async setup() {
    await super.setup();
    void [process.stdin, process.stdout, process.stderr]; // opened by their first use, and no leak
    this.#before = countResources();
  }

  handleTestEvent({ name }) {
    if (name === 'run_start') this.#isPassing = true; // a file that cannot be read fails with its own error
    if (name === 'test_fn_failure' || name === 'hook_failure') this.#isPassing = false;
  }

  async teardown() {
    const endsAt = performance.now() + GRACE_MS;
    let open = this.#leftOpen();
    while (open.length > 0 && performance.now() < endsAt) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      open = this.#leftOpen();
    }
    await super.teardown();
    if (open.length > 0 && this.#isPassing) throw new Error(`This file leaves open: ${open.join(', ')}`);
  }

  /** What keeps the process from ending and was not there before, as Node names it: `2 TCPSocketWrap`. */
  #leftOpen() {
    const more = [...countResources()].map(([kind, count]) => [count - (this.#before.get(kind) ?? 0), kind]);
    return more.filter(([count]) => count > 0).map(([count, kind]) => `${count} ${kind}`);
  }
}

function countResources() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
