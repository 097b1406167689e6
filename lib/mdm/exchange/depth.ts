const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Bits that `[`, `]`, `{` and `}` have in common, with few other characters. */
const isBracketLike = (code: number) => (code | 0x26) === 0x7f;

/**
 * Whether JSON is nested deeper than this many levels, from its bytes alone.
 *
 * @example
 * isNestedDeeper(Buffer.from('[[[]]]'), 2) // true
 */
export function isNestedDeeper(json: Uint8Array, levels: number): boolean {
  if (json.length <= 2 * levels) return false;
  let open = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json[at]!;
    if (code === QUOTE) at = endOfString(json, at + 1);
    else if (isBracketLike(code)) {
      if (code === 0x7b || code === 0x5b) open++;
      else if (code === 0x7d || code === 0x5d) open--;
      if (open > levels) return true;
    }
  }
  return false;
}

/** Where the quote is that closes a string. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
