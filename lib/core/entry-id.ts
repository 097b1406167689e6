/**
 * The last possible id of an entry. Nothing comes after it, and Redis refuses it as the exclusive start of a range
 * rather than finding nothing.
 */
export const LAST_POSSIBLE_ID = '18446744073709551615-18446744073709551615';
