import type { Reply } from '../../redis/redis.ts';

/*
 * Dead letters and waiting entries may have any size and number. Their bodies therefore stay on the server, and each
 * script looks at a portion and reports only what a redrive or a status needs.
 */

/** A row of a script: an entry or a dead letter. */
export interface ListedRow {
  readonly id: string;
  /** The entry's first id: a letter that went back keeps its age. Empty if its body was deleted. */
  readonly age: string;
  readonly bytes: number;
  readonly values: readonly string[];
}

/** A portion of a stream, and whether it is the last. */
export interface ListedPortion {
  readonly isLast: boolean;
  readonly rows: readonly ListedRow[];
}

export function decodePortion(reply: Reply): ListedPortion {
  const [isLast, rows] = reply as [string, Reply];
  return { isLast: isLast === '1', rows: decodeListed(rows) };
}

export function decodeListed(reply: Reply): ListedRow[] {
  return (reply as string[][]).map(([id, age, bytes, ...values]) => ({
    id: id!,
    age: age!,
    bytes: Number(bytes),
    values,
  }));
}
