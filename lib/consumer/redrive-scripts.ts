import type { Reply } from '../redis/redis.ts';
import { LAST_POSSIBLE_ID } from '../core/entry-id.ts';
import { ENTRIES_AFTER, script } from './script.ts';

/*
 * A redrive may meet letters of any size and number, so their bodies stay on the server: the scripts report what a
 * redrive decides by, and copy fields byte by byte.
 */

/** Longest value of a `dl-` field that is reported, in bytes; another program may have written the letter. */
const MAX_VALUE_BYTES = 2000;

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

/**
 * KEYS dead letters, notes; ARGV after, count, number of dl- fields, dl- field…, key field… Returns a list for each
 * letter: its id, its age, its size, the value of each field asked for.
 */
const LETTERS = `#!lua flags=no-writes
${FIELD}
${AGE}
local page = redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2])
for at, letter in ipairs(page) do
  local fields, row = letter[2], {letter[1], '', bytesOf(letter[2])}
  for arg = 4, #ARGV do
    local value = valueOf(fields, ARGV[arg])
    row[arg] = arg - 3 <= tonumber(ARGV[3]) and string.sub(value, 1, ${MAX_VALUE_BYTES}) or value
  end
  row[2] = ageOf(KEYS[2], string.sub(valueOf(fields, 'dl-source-id'), 1, 41))
  page[at] = row
end
return page`;

/**
 * KEYS stream, notes; ARGV after, count, group or nothing, key field… With a group: what it has pending; else what the
 * stream holds. Returns a list for each entry: its id, its age, its size, the value of each key field.
 */
const WAITING = `#!lua flags=no-writes
${FIELD}
${AGE}
${ENTRIES_AFTER}
local entries = {}
if ARGV[3] == '' then
  entries = entriesAfter(KEYS[1], ARGV[1], ARGV[2])
elseif ARGV[1] ~= '${LAST_POSSIBLE_ID}' then
  for at, pending in ipairs(redis.call('XPENDING', KEYS[1], ARGV[3], '(' .. ARGV[1], '+', ARGV[2])) do
    entries[at] = redis.call('XRANGE', KEYS[1], pending[1], pending[1])[1] or {pending[1], {}, true}
  end
end
for at, entry in ipairs(entries) do
  local row = {entry[1], entry[3] and '0-0' or ageOf(KEYS[2], entry[1]), bytesOf(entry[2])}
  for arg = 4, #ARGV do row[arg] = valueOf(entry[2], ARGV[arg]) end
  entries[at] = row
end
return entries`;

/** Something that a script lists: an entry, or a dead letter. */
export interface Listed {
  readonly id: string;
  /** Id that the entry had at first: a letter that went back keeps its age. */
  readonly age: string;
  readonly bytes: number;
  readonly values: readonly string[];
}

export const lettersScript = script(LETTERS, decodeListed);
export const waitingScript = script(WAITING, decodeListed);

export function decodeListed(reply: Reply): Listed[] {
  return (reply as string[][]).map(([id, age, bytes, ...values]) => ({
    id: id!,
    age: age!,
    bytes: Number(bytes),
    values,
  }));
}
