import {
  DEAD_LETTER_FIELDS,
  encodeDeadLetter,
  type DeadLetter,
  type Origin,
} from '#lib/consumer/dead-letters/letter.ts';

/** A letter's own fields as the words of an XADD, which come after those of its entry. */
export function letterWords(origin: Origin, letter: DeadLetter): string[] {
  const values = encodeDeadLetter(origin, letter);
  return DEAD_LETTER_FIELDS.flatMap((name, at) => (values[at] === '' ? [] : [name, values[at]!]));
}
