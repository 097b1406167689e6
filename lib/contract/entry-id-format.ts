/** Format of ids of entries: both halves have at most 64 bits. The pattern beside it says what else an id may be. */
export const ENTRY_ID_FORMAT = 'entry-id';

/** Message for an id that does not have it. */
export const HALVES_TOO_LARGE = 'must be an entry id whose halves have at most 64 bits';

/** The format as a pattern, because the build compiles patterns into validators. It accepts text that has no id. */
export const HALVES_FIT = new RegExp(`^(?!.*(?<!\\d)0*(${largerThan(2n ** 64n - 1n)})(?!\\d))`);

/** Pattern of the integers, without leading zeros, that are larger than a limit. */
function largerThan(limit: bigint): string {
  const digits = String(limit);
  const larger = Array.from(digits, (digit, at) => {
    const rest = digits.length - at - 1;
    return digit === '9' ? [] : `${digits.slice(0, at)}[${Number(digit) + 1}-9]\\d{${rest}}`;
  });
  return [`[1-9]\\d{${digits.length},}`, ...larger.flat()].join('|');
}
