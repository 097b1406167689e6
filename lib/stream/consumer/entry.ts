import type { Reply } from '../../redis/redis.ts';

/** An entry of the stream, its fields as they came: name, value, name, value, … (a name may come twice). */
export interface Entry {
  readonly id: string;
  readonly fields: readonly string[];
}

/** An entry that was delivered to the group and not yet acknowledged. */
export interface PendingEntry {
  readonly id: string;
  /** Since its last delivery, in milliseconds. */
  readonly idleMs: number;
  /** How often it was delivered, by the server's count. */
  readonly deliveries: number;
}

/** The value of a field, the last one where the name comes twice; undefined where there is none. */
export function fieldOf({ fields }: Entry, name: string): string | undefined {
  for (let at = fields.length - 2; at >= 0; at -= 2) if (fields[at] === name) return fields[at + 1];
  return undefined;
}

/** When an entry was added, in milliseconds since 1970: the first part of its id, where the server made the id. */
export function addedAt(id: string): number {
  return Number(id.slice(0, id.indexOf('-')));
}

/** Reads a list of entries; one whose body was deleted is left out. */
export function decodeEntries(reply: Reply): Entry[] {
  const entries: Entry[] = [];
  for (const pair of (reply ?? []) as [string, string[] | null][]) {
    if (pair?.[1]) entries.push({ id: pair[0], fields: pair[1] });
  }
  return entries;
}
