/** A binary heap: the item that is due first comes first, at logarithmic cost. */
export class Heap<T extends { readonly dueAt: number }> {
  readonly #items: T[] = [];

  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && items[parent]!.dueAt > item.dueAt; parent = (at - 1) >> 1) {
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  shift(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (!first || !last || first === last) return first;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && items[child + 1]!.dueAt < items[child]!.dueAt) child++;
      if (items[child]!.dueAt >= last.dueAt) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return first;
  }
}
