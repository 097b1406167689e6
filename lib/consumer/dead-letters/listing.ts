import { LAST_POSSIBLE_ID } from '../../core/entry-id.ts';
import type { Reply } from '../../redis/redis.ts';

/*
 * Dead letters, and the entries that wait, may be of any size and number. So their bodies stay on the server, and each
 * script looks at a portion of them: what it reports is what a redrive or a status decides by.
 */

/** The most that one script looks at: nothing else runs on the server meanwhile. One larger entry may come on top. */
export const PORTION = { entries: 500, bytes: 256 * 1024 };

/**
 * Functions of the scripts. `eachEntry` goes through a stream by a function that reads the next entry, until it ends or
 * the portion is full, and returns whether it ended. `rowOf` is what is listed of an entry: its id, its age, its size,
 * and the value of each of these fields, the last one where a name comes twice.
 */
export const LISTING = `
local function bytesOf(fields)
  local bytes = 0
  for at = 1, #fields do bytes = bytes + #fields[at] end
  return bytes
end
local function eachEntry(read, from, most, mostBytes, take)
  local seen, bytes = 0, 0
  while seen < most and bytes < mostBytes do
    local entry = read(from)
    if not entry then return true end
    local size = bytesOf(entry[2])
    take(entry)
    seen, bytes, from = seen + 1, bytes + size, '(' .. entry[1]
  end
  return false
end
local function valuesOf(fields)
  local values = {}
  for at = 1, #fields, 2 do values[fields[at]] = fields[at + 1] end
  return values
end
local function rowOf(id, age, fields, names)
  local row, values = {id, age, bytesOf(fields)}, valuesOf(fields)
  for at, name in ipairs(names) do row[at + 3] = values[name] or '' end
  return row
end`;

/** Function of the scripts that reads what follows in a stream. After the last possible id nothing does. */
export const FORWARDS = `
local function forwards(key)
  return function(from)
    if from == '(${LAST_POSSIBLE_ID}' then return end
    return redis.call('XRANGE', key, from, '+', 'COUNT', 1)[1]
  end
end`;

/** What `eachEntry` takes as a portion. */
export const WHOLE_PORTION = `${PORTION.entries}, ${PORTION.bytes}`;

/** Something that a script lists: an entry, or a dead letter. */
export interface Listed {
  readonly id: string;
  /** Id that the entry had at first: a letter that went back keeps its age. */
  readonly age: string;
  readonly bytes: number;
  readonly values: readonly string[];
}

/** A portion of a stream, and whether nothing follows it. */
export interface Portion {
  readonly isLast: boolean;
  readonly rows: readonly Listed[];
}

export function decodePortion(reply: Reply): Portion {
  const [isLast, rows] = reply as [string, Reply];
  return { isLast: isLast === '1', rows: decodeListed(rows) };
}

export function decodeListed(reply: Reply): Listed[] {
  return (reply as string[][]).map(([id, age, bytes, ...values]) => ({
    id: id!,
    age: age!,
    bytes: Number(bytes),
    values,
  }));
}
