/** A new dead letter, without any field of its entry. */
export interface NewLetter {
  /** The shard of the entry. */
  readonly stream: string;
  readonly id: string;
  readonly type: string;
  readonly reason: string;
  /** Number of deliveries. */
  readonly attempts: number;
}

/** What a topic or an event bus gets: the newest letter, and how many there are since the last notice. */
export interface Notice extends NewLetter {
  readonly group: string;
  readonly count: number;
}
