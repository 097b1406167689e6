import type { Reply } from '../../redis/redis.ts';

/*
 * A redrive may meet letters of any size and number, so their bodies stay on the server: the scripts report what a
 * redrive decides by, and copy fields byte by byte.
 */

/** Functions of the scripts: the value of a field, and the size of all. */
export const FIELD = `
local function valueOf(fields, name)
  for at = #fields - 1, 1, -2 do if fields[at] == name then return fields[at + 1] end end
  return ''
end
local function bytesOf(fields)
  local bytes = 0
  for at = 1, #fields do bytes = bytes + #fields[at] end
  return bytes
end`;

/** A letter that went back and came again, or waits, is as old as the entry that it was first. */
export const AGE = `
local function ageOf(notes, id) return redis.call('HGET', notes, 'r:' .. id) or id end`;

/** Something that a script lists: an entry, or a dead letter. */
export interface Listed {
  readonly id: string;
  /** Id that the entry had at first: a letter that went back keeps its age. */
  readonly age: string;
  readonly bytes: number;
  readonly values: readonly string[];
}

export function decodeListed(reply: Reply): Listed[] {
  return (reply as string[][]).map(([id, age, bytes, ...values]) => ({
    id: id!,
    age: age!,
    bytes: Number(bytes),
    values,
  }));
}
