import { startPromptStack } from '../../support/consumer/prompt-stack.ts';
import type { Figure } from '../figure.ts';
import { quantile } from '../rounds.ts';

/** Records a second, and how many a round. */
const RATES = [
  { perSecond: 1, count: 20 },
  { perSecond: 10, count: 100 },
  { perSecond: 100, count: 500 },
];
const ROUNDS = 3;

/**
 * Time from the call of `source-enqueue` until the MDM receives the record, with no schedule: the wake alone starts the
 * consumer. Both containers are warm; records come at a steady pace, whatever became of those before.
 */
export const wake: Figure = {
  name: 'wake',
  ids: RATES.flatMap(({ perSecond }) => [`wake-${perSecond}-p50`, `wake-${perSecond}-p99`]),
  async measure(bench) {
    bench.build();
    const stack = await startPromptStack();
    const values = new Map<string, number[]>();
    const note = (id: string, value: number) => values.set(id, [...(values.get(id) ?? []), value]);
    try {
      await stack.latencies(50, 100); // warms both containers
      for (let round = 0; round < (bench.isQuick ? 1 : ROUNDS); round++) {
        for (const { perSecond, count } of RATES) {
          const ms = await stack.latencies(perSecond, count);
          note(`wake-${perSecond}-p50`, quantile(ms, 0.5));
          note(`wake-${perSecond}-p99`, quantile(ms, 0.99));
        }
      }
    } finally {
      await stack.stop();
    }
    return [...values].map(([id, of]) => ({ id, values: of }));
  },
};
