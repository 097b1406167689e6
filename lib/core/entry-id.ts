/** The last possible id of an entry. Redis refuses it as the exclusive start of a range instead of finding nothing. */
export const LAST_POSSIBLE_ID = '18446744073709551615-18446744073709551615';

/** Compares ids in the order of the stream. */
export function compareIds(a: string, b: string): number {
  const [aTime, aSequence] = partsOfId(a);
  const [bTime, bSequence] = partsOfId(b);
  const difference = aTime === bTime ? aSequence - bSequence : aTime - bTime;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The time and the sequence of an id. Both parts have 64 bits. */
function partsOfId(id: string): [bigint, bigint] {
  const at = id.indexOf('-');
  return [BigInt(id.slice(0, at)), BigInt(id.slice(at + 1))];
}
