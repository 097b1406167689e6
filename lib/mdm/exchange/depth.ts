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
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json[at]!;
    if (code === QUOTE) isInString = !isInString;
    else if (isInString) {
      if (code === BACKSLASH) at++;
    } else if (isBracketLike(code)) {
      if (code === 0x7b || code === 0x5b) open++;
      else if (code === 0x7d || code === 0x5d) open--;
      if (open > levels) return true;
    }
  }
  return false;
}
