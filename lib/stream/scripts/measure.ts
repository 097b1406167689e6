import type { Reply } from '../../redis/redis.ts';
import { readInteger, readList, readText } from '../../redis/reply-shapes.ts';
import type { Travel } from '../../invocation/output.ts';
import type { EntryOptions } from '../entries.ts';

/*
 * Groups deliver by scripts: entries that do not fit into the response, or would lose data in it, must be found before
 * they are delivered, and no other consumer may come in between. A script blocks other clients, so it looks at a few
 * entries, stops with `more`, and runs again.
 */

/** Maximum items that one script looks at: a quarter of the promised limit, so that it takes a few milliseconds. */
export const PORTION_ITEMS = 250;
/** Maximum bytes. A larger entry is allowed as the first one. */
const PORTION_BYTES = 256 * 1024;

/**
 * The first arguments of each script that includes `measure.lua`.
 *
 * @param budget bytes that the entries may have in the response
 * @param expectedId the entry that must come first; otherwise the script stops with `changed`
 */
export function measureArgs(
  { format, encoding }: EntryOptions,
  travel: Travel,
  budget: number,
  expectedId = '',
): string[] {
  return [
    format === 'pairs' ? '' : 'unique',
    encoding === 'base64' ? '' : 'utf8',
    travel,
    String(budget),
    expectedId,
    String(PORTION_ITEMS),
    String(PORTION_BYTES),
  ];
}

/** Why a script stopped early; `more`: it looked at as much as one script may. */
export interface Stop {
  kind: 'size' | 'repeated' | 'bytes' | 'changed' | 'more';
  id: string;
  field: string;
  /** Bytes in the response of an entry that did not fit. */
  size: number;
}

/** Reads the `{kind, id, field, size}` of a script; undefined if it is empty. */
export function decodeStop(reply: Reply | undefined): Stop | undefined {
  const [kind, id, field, size] = readList(reply);
  if (kind === undefined) return undefined;
  return { kind: readText(kind) as Stop['kind'], id: readText(id), field: readText(field), size: readInteger(size) };
}

/** Whether another portion may return what this one had no room for. */
export function mayGoOn({ kind, size }: Stop, left: number): boolean {
  return kind === 'more' || kind === 'changed' || (kind === 'size' && size <= left);
}
