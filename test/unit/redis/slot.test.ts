import { expect, it } from '@jest/globals';
import { slotOf } from '#lib/redis/slot.ts';

it.each([
  ['foo', 12_182],
  ['{foo}bar', 12_182],
  ['a{foo}{bar}', 12_182],
  ['{}{foo}', slotOf('{}{foo}')],
  ['{{foo}', slotOf('{foo')],
])('the slot of %s', (key, slot) => {
  expect(slotOf(key)).toBe(slot);
});

it("computing a slot takes time proportional to the key's length, whatever it contains", () => {
  const begun = performance.now();

  slotOf('{'.repeat(1_000_000));
  slotOf('}'.repeat(1_000_000));

  expect(performance.now() - begun).toBeLessThan(2000);
});
