/**
 * Work that is done once for all who ask for it meanwhile.
 *
 * @example
 * const reads = new UnderWay<string, Config>();
 * const config = await reads.share(name, () => read(name));
 */
export class UnderWay<K, T> {
  readonly #promises = new Map<K, Promise<T>>();

  /** Begins the work, unless that with this key is under way. */
  share(key: K, work: () => Promise<T>): Promise<T> {
    const promise = this.#promises.get(key) ?? work().finally(() => this.#promises.delete(key));
    this.#promises.set(key, promise);
    return promise;
  }
}
