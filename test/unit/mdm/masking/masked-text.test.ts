import { expect, it } from '@jest/globals';
import { MaskedText } from '#lib/mdm/masking/masked-text.ts';

/** A long value of a record in which nothing repeats itself. */
const VALUE = 'Grace Hopper found a moth in relay 70 of the Mark II at Harvard, and taped it into her log book.';
/** The shortest piece of a value that is masked. */
const PIECE = 32;

it.each([0, 1, 10, 30])(
  'masks a piece of a value at the start of a message, from letter %i of the value on',
  (from) => {
    const message = new MaskedText(`${VALUE.slice(from, from + PIECE)}: is not allowed`, 3);

    message.maskValue(VALUE);

    expect(message.toString()).toBe('…: is not allowed');
  },
);
