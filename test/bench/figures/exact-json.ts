import type { Figure } from '../figure.ts';
import { quotients } from '../rounds.ts';

/** Parsing 10 MB of search results without loss, over JSON.parse of the same text. */
export const exactJson: Figure = {
  name: 'exact-json',
  ids: ['json-small-integers', 'json-big-integers'],
  most: 4,
  async measure(bench) {
    const ms = await bench.run<Record<string, number[]>>('exact-json.ts', { rounds: bench.rounds });
    return [
      { id: 'json-small-integers', values: quotients(ms.exactSmall!, ms.plainSmall!) },
      { id: 'json-big-integers', values: quotients(ms.exactBig!, ms.plainBig!) },
    ];
  },
};
