import { expect, it } from '@jest/globals';
import { worldOf } from '../../faults/draw-world.ts';
import { PLANTED } from '../../faults/planted.ts';
import { play } from '../../faults/play.ts';
import { RARE_TROUBLES, TROUBLES } from '../../faults/troubles.ts';
import { FAILINGS, type World } from '../../faults/world.ts';

/**
 * Of the first 1,500 worlds, some that have everything twice and take little. Other tests run beside them, so bounds
 * are judged by command alone: `npm run prove -- faults --seed <n> --tell` repeats one, and `npm run prove -- faults`
 * plays others.
 */
const SEEDS = [
  46, 76, 77, 95, 117, 172, 235, 279, 399, 403, 475, 497, 502, 511, 518, 590, 608, 744, 772, 916, 920, 949, 959, 984,
  1043, 1065, 1128, 1147, 1238, 1277, 1295, 1392, 1395, 1427, 1428, 1443, 1448,
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
  expect(rare(['1', '2', '4', '16', '64', '256'], ({ shards }, count) => shards === Number(count))).toEqual([]);
  const settings = ['maxAgeMs', 'lingerMs', 'deadLetterStream'];
  expect(rare(settings, ({ consumer }, name) => consumer[name] !== undefined)).toEqual([]);
  expect(rare(['mdm', 'lambda'], ({ target }, name) => target.kind === name)).toEqual([]);
  const ways = ['hasSlowGroup', 'hasTopic', 'sharesSession', 'isWoken'] as const;
  expect(rare(ways, (world, name) => world[name as (typeof ways)[number]])).toEqual([]);
  expect(rare(['wrong clocks'], ({ clocksAheadMs }) => clocksAheadMs.length > 0)).toEqual([]);
  const isTogether = (world: World, most: string) => world.isWoken && world.enqueuedTogether === Number(most);
  expect(rare(['1', '10', '100'], isTogether)).toEqual([]);
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
