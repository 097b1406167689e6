import { LAST_POSSIBLE_ID } from '../../core/entry-id.ts';
import type { Reply } from '../../redis/redis.ts';

/*
 * Dead letters and waiting entries may have any size and number. Their bodies therefore stay on the server, and each
 * script looks at a portion and reports only what a redrive or a status needs.
 */

/** Maximum that one script looks at, because it blocks the server. One larger entry may follow. */
export const PORTION = { entries: 500, bytes: 256 * 1024 };

/**
 * Functions of the scripts. `eachEntry` walks a stream with a function that reads the next entry, until the end or
 * until the portion is full, and returns whether it reached the end. `rowOf` lists an entry: its id, its age, its size,
 * and the value of each field; of a repeated field the last value.
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

/** Function of the scripts that reads the next entries of a stream, up to `to`; none after the last possible id. */
export const FORWARDS = `
local function forwards(key, to)
  return function(from)
    if from == '(${LAST_POSSIBLE_ID}' then return end
    return redis.call('XRANGE', key, from, to or '+', 'COUNT', 1)[1]
  end
end`;

/** A portion, for `eachEntry`. */
export const WHOLE_PORTION = `${PORTION.entries}, ${PORTION.bytes}`;

/** A row of a script: an entry or a dead letter. */
export interface Listed {
  readonly id: string;
  /** The entry's first id: a letter that went back keeps its age. */
  readonly age: string;
  readonly bytes: number;
  readonly values: readonly string[];
}

/** A portion of a stream, and whether it is the last. */
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
