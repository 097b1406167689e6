import { expect, it } from '@jest/globals';
import { MAX_RESPONSE_BYTES, Output } from '#lib/invocation/output.ts';

it.each(['text', 'json'] as const)('an output sent as %s is measured unless it is certain to fit', (travel) => {
  const isSureToFit = (bytesLeft: number) => {
    const output = new Output(travel);
    output.append('orders', ['one'], output.left - bytesLeft);
    expect(output.left).toBe(Math.max(0, bytesLeft));
    return output.end().isSureToFit;
  };

  expect([1, 0, -1, -MAX_RESPONSE_BYTES].map(isSureToFit)).toEqual([true, false, false, false]);
});
