import type { Item } from './item.ts';
import { listOfObjects } from './list-of-objects.ts';

/** So many places that are free at the front are given up at a time. */
const COMPACT_AT = 1024;

/** First in, first out, at constant cost; an item may also leave from the middle. */
export class ItemQueue {
  #items = listOfObjects<Item>();
  #at = 0;
  size = 0;

  /** The next item, left where it is. */
  get first(): Item | undefined {
    while (this.#at < this.#items.length && this.#items[this.#at]!.queue !== this) this.#at++; // it has left
    return this.#items[this.#at];
  }

  push(item: Item): void {
    item.place = 'queued';
    item.queue = this;
    this.size++;
    this.#items.push(item);
  }

  /** Takes the next item out. */
  shift(): Item | undefined {
    while (this.#at < this.#items.length) {
      const item = this.#items[this.#at]!;
      if (++this.#at === this.#items.length || this.#at === COMPACT_AT) {
        this.#items = this.#items.slice(this.#at);
        this.#at = 0;
      }
      if (item.queue !== this) continue; // it has left
      item.place = 'taken';
      this.leave(item);
      return item;
    }
    return undefined;
  }

  /** An item that stands in this queue leaves it. */
  leave(item: Item): void {
    item.queue = undefined;
    this.size--;
  }
}
