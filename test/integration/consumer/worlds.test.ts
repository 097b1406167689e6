import { expect, it } from '@jest/globals';
import { worldOf } from '../../faults/draw-world.ts';
import { play } from '../../faults/play.ts';

/** The same in every run: `npm run faults -- --seed <n> --tell` repeats one. `npm run faults` plays others. */
const SEEDS = Array.from({ length: 60 }, (_, at) => at + 1);
const AT_ONCE = 8;

it('keeps its promises in sixty random worlds', async () => {
  const left = [...SEEDS];
  const faults: Record<number, readonly string[]> = {};
  let taken = 0;
  const playInTurn = async () => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const played = await play(worldOf(seed));
      taken += played.taken;
      if (played.faults.length > 0) faults[seed] = played.faults.slice(0, 5);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playInTurn));

  expect(faults).toEqual({});
  expect(taken).toBeGreaterThan(1000);
}, 600_000);
