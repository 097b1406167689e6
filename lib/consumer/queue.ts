/** So many places that are free at the front are given up at a time. */
const COMPACT_AT = 1024;

/** First in, first out, at constant cost. */
export class Queue<T> {
  #items: T[] = [];
  #at = 0;

  get size(): number {
    return this.#items.length - this.#at;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#at === this.#items.length) return undefined;
    const item = this.#items[this.#at]!;
    if (++this.#at === this.#items.length || this.#at === COMPACT_AT) {
      this.#items = this.#items.slice(this.#at);
      this.#at = 0;
    }
    return item;
  }
}
