import { constants, createContext } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** Time in which what is being closed may close, in milliseconds. */
const GRACE_MS = 10_000;
/** Least timeout of a test and a hook: it is there for what hangs, and not to measure how busy the machine is. */
const PATIENCE_MS = 240_000;
/** Frames of a stack, as Node has them. Jest keeps 100, which makes each abort and each error cost more. */
const FRAMES = 10;
/** How many lines of a file's output are printed if it fails. */
const LAST_LINES = 30;
/** Constructors that Jest shares with Node, so that what Node makes is an instance of them. */
const SHARED = new Set(['ArrayBuffer', 'Uint8Array']);

/**
 * The environment of a test file. What it writes, such as the log of functions, is printed at its end if it fails. A
 * file that passes, and leaves a socket, a server, a process or a timer open, fails: its worker would not end.
 */
export default class Environment extends TestEnvironment {
  #before;
  #isPassing = false;
  /** Whether a test of the file ran: `-t` may leave out all. */
  #hasRun = false;
  #written = [];
  #write;

  constructor(config, context) {
    super(config, context);
    this.global = this.context = withoutProxy(this.global);
    this.moduleMocker = new this.moduleMocker.constructor(this.global);
  }

  async setup() {
    await super.setup();
    this.global.Error.stackTraceLimit = FRAMES;
    this.#write = process.stdout.write;
    process.stdout.write = (text, encoding, done) => {
      this.#written.push(text);
      (typeof encoding === 'function' ? encoding : done)?.();
      return true;
    };
    void [process.stdin, process.stdout, process.stderr]; // opened by their first use, and no leak
    this.#before = countResources();
  }

  async handleTestEvent({ name, test, hook }, { rootDescribeBlock }) {
    if (name === 'test_fn_start') this.#hasRun = true;
    if (name === 'test_fn_start') test.timeout = Math.max(test.timeout ?? 0, PATIENCE_MS);
    if (name === 'hook_start') hook.timeout = Math.max(hook.timeout ?? 0, PATIENCE_MS);
    if (name === 'run_start') this.#isPassing = true; // a file that cannot be read fails with its own error
    if (name === 'test_fn_failure' || name === 'hook_failure') this.#isPassing = false;
    if (name === 'run_finish' && !this.#hasRun) await closeAll(rootDescribeBlock);
  }

  async teardown() {
    process.stdout.write = this.#write;
    if (!this.#isPassing) this.#printLastLines();
    const endsAt = performance.now() + GRACE_MS;
    let open = this.#leftOpen();
    while (this.#hasRun && open.length > 0 && performance.now() < endsAt) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      open = this.#leftOpen();
    }
    await super.teardown();
    if (open.length > 0 && this.#isPassing && this.#hasRun)
      throw new Error(`This file leaves open: ${open.join(', ')}`);
  }

  #printLastLines() {
    const lines = this.#written.join('').trimEnd().split('\n').slice(-LAST_LINES);
    process.stdout.write(`${lines.join('\n')}\n`);
  }

  /** What keeps the process from ending and was not there before, as Node names it: `2 TCPSocketWrap`. */
  #leftOpen() {
    const more = [...countResources()].map(([kind, count]) => [count - (this.#before.get(kind) ?? 0), kind]);
    return more.filter(([count]) => count > 0).map(([count, kind]) => `${count} ${kind}`);
  }
}

/** What a file has started as it was read. Jest calls no `afterAll` where all tests are left out. */
async function closeAll({ hooks }) {
  for (const { type, fn } of hooks) {
    if (type !== 'afterAll') continue;
    await Promise.resolve()
      .then(fn)
      .catch(() => {}); // what it closes may come from a `beforeAll` that did not run
  }
}

/**
 * The same global object in a plain context. In Jest's, each use of a global goes through a Proxy, which is a third of
 * the time of a test that calculates.
 */
function withoutProxy(global) {
  const plain = createContext(constants.DONT_CONTEXTIFY);
  for (const name of Reflect.ownKeys(global)) {
    if (name in plain && !SHARED.has(name)) continue;
    const define = (value) =>
      Object.defineProperty(plain, name, { value, configurable: true, enumerable: true, writable: true });
    const get = () => define(global[name])[name]; // Node loads some of them at their first use
    Object.defineProperty(plain, name, { get, set: define, configurable: true, enumerable: true });
  }
  plain.global = plain;
  return plain;
}

function countResources() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
