/** What a page should hold: small enough that neither side is held up. */
const PAGE_BYTES = 1024 * 1024;
const FIRST = 16;
const MOST = 1000;

/** How many entries to read at a time where their sizes are not known: as many as a megabyte holds. */
export class PageSize {
  count = FIRST;

  /** Learns from a page of so many entries and bytes. Returns whether it was the last. */
  learn(entries: number, bytes: number): boolean {
    const isLast = entries < this.count;
    this.count = Math.max(1, Math.min(MOST, 4 * this.count, Math.floor((entries * PAGE_BYTES) / Math.max(1, bytes))));
    return isLast;
  }
}
