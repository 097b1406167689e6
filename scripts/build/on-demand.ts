import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildLocalBundles } from './bundles.ts';
import { BUNDLES } from './forms.ts';
import { ROOT } from './root.ts';
import { staleBundles } from './stale.ts';

type Handler = (event: unknown, context: unknown) => unknown;

/** Sources are compared with their bundle at most so often. */
const COMPARED_EVERY_MS = 500;
const require = createRequire(import.meta.url);
const loaded = new Map<string, LocalFunction>();

/** The handler of a function, as its sources are now. */
export async function loadHandler(name: string): Promise<Handler> {
  const one = loaded.get(name) ?? new LocalFunction(name);
  loaded.set(name, one);
  return one.load();
}

class LocalFunction {
  readonly #name: string;
  readonly #folder: string;
  #handler: Handler | undefined;
  #loading: Promise<Handler> | undefined;
  #comparedAt = -Infinity;
  /** Tells bundles apart: each is a new file. */
  #inode: number | undefined;

  constructor(name: string) {
    this.#name = name;
    this.#folder = join(ROOT, BUNDLES.local, name);
  }

  async load(): Promise<Handler> {
    if (this.#handler && performance.now() - this.#comparedAt < COMPARED_EVERY_MS) return this.#handler;
    this.#loading ??= this.#loadCurrent().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #loadCurrent(): Promise<Handler> {
    if (staleBundles('local')(this.#name)) await buildLocalBundles([this.#name]);
    const index = join(this.#folder, 'index.cjs');
    const { ino } = statSync(index);
    if (!this.#handler || ino !== this.#inode) {
      const former = Object.keys(require.cache).filter((path) => path.startsWith(`${this.#folder}/`));
      for (const path of former) Reflect.deleteProperty(require.cache, path);
      this.#handler = (require(index) as { handler: Handler }).handler;
      this.#inode = ino;
    }
    this.#comparedAt = performance.now();
    return this.#handler;
  }
}
