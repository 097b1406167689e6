import { httpEvent } from '#sandbox/aws/http-event.ts';
import { baselineOf } from '../carry.ts';
import type { Figure } from '../figure.ts';
import { interleave, median } from '../rounds.ts';

const event = { businessEntity: 'c360.person', businessId: 'MDM00000000001' };

/** Calls a second of a warm Master Read, one at a time, over those of node-fetch alone, by way in. */
export const warmMasterRead: Figure = {
  name: 'warm-master-read',
  ids: ['warm-master-read-http', 'warm-master-read-direct'],
  most: 4,
  async measure(bench) {
    const http = httpEvent('POST', '/mdm/master-read', JSON.stringify(event));
    const share = (sent: unknown) => async () => {
      const variants = [
        { handler: baselineOf('bare-fetch'), event },
        { handler: bench.bundleOf('mdm-master-read'), event: sent },
      ];
      const input = { variants, turns: 40, warmUp: 40, batch: 25 };
      const [bare, ours] = (await bench.run<number[][]>('alternate.cjs', input)).map(median);
      return bare! / ours!;
    };
    const ratios = await interleave(bench.rounds, { http: share(http), direct: share(event) });
    return [
      { id: 'warm-master-read-http', values: ratios.http },
      { id: 'warm-master-read-direct', values: ratios.direct },
    ];
  },
};
