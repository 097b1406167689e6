import type { Figure } from '../figure.ts';
import { growthExponent, interleave } from '../rounds.ts';
import type { Bench } from '../stage.ts';
import { fillStream, groupOf, removeStreams } from '../streams.ts';

const KEYS = [1, 10, 100, 1_000, 10_000];
const ENTRIES = 20_000;

/** How the time of an entry grows with the number of keys that the stream holds. */
export const growthKeys: Figure = {
  name: 'growth-keys',
  async measure(bench) {
    const ms = await interleave(bench.rounds, Object.fromEntries(KEYS.map((keys) => [keys, () => drain(bench, keys)])));
    const exponentFrom = (least: number) => (_: unknown, round: number) =>
      growthExponent(KEYS.filter((keys) => keys >= least).map((keys) => [keys, ms[keys]![round]!]));
    const rounds = Array.from({ length: bench.rounds });
    return [
      { id: 'growth-keys', values: rounds.map(exponentFrom(1)) },
      { id: 'growth-many-keys', values: rounds.map(exponentFrom(100)) },
    ];
  },
};

async function drain({ redis, invoke, engine }: Bench, keys: number): Promise<number> {
  const [warmUp, stream] = [await fillStream(redis, ENTRIES, 1000), await fillStream(redis, ENTRIES, keys)];
  const settings = { target: 'take', batchSize: 500, concurrency: 100 };
  const { calls } = await invoke(
    engine,
    [warmUp, stream].map((name) => ({ ...groupOf(name), ...settings })),
  );
  await removeStreams(redis, warmUp, stream);
  if ((calls[1]!.answer as { processed: number }).processed !== ENTRIES) throw new Error(JSON.stringify(calls[1]));
  return calls[1]!.ms;
}
