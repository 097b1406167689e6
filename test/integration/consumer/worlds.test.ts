import { expect, it } from '@jest/globals';
import { worldOf } from '../../faults/draw-world.ts';
import { PLANTED } from '../../faults/planted.ts';
import { play } from '../../faults/play.ts';
import { RARE_TROUBLES, TROUBLES } from '../../faults/troubles.ts';
import { FAILINGS } from '../../faults/world.ts';

/**
 * Of the first 400 worlds, some that have everything twice and take little. Other tests run beside them, so bounds
 * are judged by command alone: `npm run prove -- faults --seed <n> --tell` repeats one, and `npm run prove -- faults`
 * plays others.
 */
const SEEDS = [
  1, 9, 12, 23, 25, 26, 29, 30, 31, 38, 40, 41, 46, 53, 55, 57, 59, 60, 71, 72, 74, 76, 77, 82, 84, 86, 87, 92, 106,
  108, 191, 201, 209, 226, 228, 234, 236, 238, 239, 241, 242, 245, 247, 249, 250, 251, 255, 257, 260, 262, 264, 269,
  272, 275, 278, 283, 286, 288, 289, 292,
];
const AT_ONCE = 3;
const worlds = SEEDS.map(worldOf);

it('the worlds have each trouble, failure and sign of a planted fault twice, and each rare trouble once', () => {
  const rare = (names: readonly string[], has: (world: (typeof worlds)[number], name: string) => boolean) =>
    names.filter((name) => worlds.filter((world) => has(world, name)).length < 2);

  expect(rare(Object.keys(TROUBLES), ({ troubles }, name) => troubles.some((one) => one.name === name))).toEqual([]);
  const drawn = new Set(worlds.flatMap(({ troubles }) => troubles.map(({ name }) => name)));
  expect([...drawn]).toEqual(expect.arrayContaining(Object.keys(RARE_TROUBLES)));
  expect(rare(FAILINGS, ({ target }, name) => target.fails[name as (typeof FAILINGS)[number]] > 0)).toEqual([]);
  expect(rare(['server', 'sentinel', 'cluster'], ({ redis }, name) => redis === name)).toEqual([]);
  const settings = ['maxAgeMs', 'lingerMs', 'deadLetterStream'];
  expect(rare(settings, ({ consumer }, name) => consumer[name] !== undefined)).toEqual([]);
  expect(rare(['mdm', 'lambda'], ({ target }, name) => target.kind === name)).toEqual([]);
  const ways = ['hasSlowGroup', 'sharesSession', 'isWoken'] as const;
  expect(rare(ways, (world, name) => world[name as (typeof ways)[number]])).toEqual([]);
  const canShow = new Map(PLANTED.map(({ what, shownIn = () => true }) => [what, shownIn]));
  expect(rare([...canShow.keys()], (world, what) => canShow.get(what)!(world))).toEqual([]);
});

it('the consumer keeps its promises in random worlds', async () => {
  const left = [...worlds];
  const faults: Record<number, readonly string[]> = {};
  let processed = 0;
  const playInTurn = async () => {
    for (let world = left.shift(); world !== undefined; world = left.shift()) {
      const played = await play(world, { isBusy: true });
      processed += played.processed;
      if (played.faults.length > 0) faults[world.seed] = played.faults.slice(0, 5);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playInTurn));

  expect(faults).toEqual({});
  expect(processed).toBeGreaterThan(1000);
}, 1_800_000);
