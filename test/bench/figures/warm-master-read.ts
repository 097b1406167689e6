import { baselineOf } from '../carry.ts';
import type { Figure } from '../figure.ts';
import { interleave, median } from '../rounds.ts';

const event = { businessEntity: 'c360.person', businessId: 'MDM00000000001' };

/** Calls a second of a warm Master Read, one at a time, over those of node-fetch alone. */
export const warmMasterRead: Figure = {
  name: 'warm-master-read',
  ids: ['warm-master-read'],
  most: 4,
  async measure(bench) {
    const handlers = [baselineOf('bare-fetch'), bench.bundleOf('mdm-master-read')];
    const input = { variants: handlers.map((handler) => ({ handler, event })), turns: 40, warmUp: 40, batch: 25 };
    const { ratio } = await interleave(bench.rounds, {
      async ratio() {
        const [bare, ours] = (await bench.run<number[][]>('alternate.cjs', input)).map(median);
        return bare! / ours!;
      },
    });
    return [{ id: 'warm-master-read', values: ratio }];
  },
};
