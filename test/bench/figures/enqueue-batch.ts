import type { Figure } from '../figure.ts';
import { interleave, median } from '../rounds.ts';

const RECORDS = 500;
const of = { businessEntity: 'c360.city', sourceSystem: 'geonames' };
const city = (at: number) => ({ sourcePKey: `city-${at}`, record: { name: 'x'.repeat(100), population: at } });

/** Records a second of `source-enqueue-batch` with 500 of them, over those of `source-enqueue`, one call after the other. */
export const enqueueBatch: Figure = {
  name: 'enqueue-batch',
  async measure(bench) {
    const variants = [
      { handler: bench.bundleOf('mdm-source-enqueue'), event: { ...of, ...city(0) } },
      {
        handler: bench.bundleOf('mdm-source-enqueue-batch'),
        event: { ...of, records: Array.from({ length: RECORDS }, (_, at) => city(at)) },
      },
    ];
    const { ratio } = await interleave(bench.rounds, {
      async ratio() {
        const input = { variants, turns: 100, warmUp: 100 };
        const [single, batch] = (await bench.run<number[][]>('alternate.cjs', input)).map(median);
        return single! / (batch! / RECORDS);
      },
    });
    return [{ id: 'enqueue-batch', values: ratio }];
  },
};
