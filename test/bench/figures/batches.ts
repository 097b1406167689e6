import type { Figure } from '../figure.ts';
import { interleave, median } from '../rounds.ts';

const RECORDS = 500;
const ENTRIES = 1_000;
const of = { businessEntity: 'c360.city', sourceSystem: 'geonames' };
const city = (at: number) => ({ sourcePKey: `city-${at}`, record: { name: 'x'.repeat(100), population: at } });
const entry = { value: 'x'.repeat(100) };
/** Keeps the stream from growing from one round to the next. */
const evictionOption = { maxLength: 10_000 };

/** Records a second of an operation that takes many, over those of its sibling that takes one, one call after the other. */
export const batches: Figure = {
  name: 'batches',
  ids: ['enqueue-batch', 'xadd-batch'],
  async measure(bench) {
    const variant = (name: string, event: object) => ({ handler: bench.bundleOf(name), event });
    const gain = (variants: object[], size: number) => async () => {
      const input = { variants, turns: 100, warmUp: 100 };
      const [single, batch] = (await bench.run<number[][]>('alternate.cjs', input)).map(median);
      return single! / (batch! / size);
    };
    const enqueue = [
      variant('mdm-source-enqueue', { ...of, ...city(0) }),
      variant('mdm-source-enqueue-batch', { ...of, records: Array.from({ length: RECORDS }, (_, at) => city(at)) }),
    ];
    const entries = Array.from({ length: ENTRIES }, () => entry);
    const xadd = [
      variant('stream-xadd', { key: 'bench:singles', entry, evictionOption }),
      variant('stream-xadd-batch', { key: 'bench:batches', entries, evictionOption }),
    ];
    const gains = await interleave(bench.rounds, { enqueue: gain(enqueue, RECORDS), xadd: gain(xadd, ENTRIES) });
    return [
      { id: 'enqueue-batch', values: gains.enqueue },
      { id: 'xadd-batch', values: gains.xadd },
    ];
  },
};
