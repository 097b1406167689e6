import type { Figure } from '../figure.ts';
import { interleave, quotients } from '../rounds.ts';
import type { Bench } from '../stage.ts';
import { fillStream, groupOf, removeStreams } from '../streams.ts';

const ENTRIES = 5_000;
const WARM_UP = 1_000;
const loop = new URL('../baselines/dead-letter-loop.ts', import.meta.url).pathname;

/** Entries a second that become dead letters, at the consumer's own defaults. */
export const deadLetters: Figure = {
  name: 'dead-letters',
  async measure(bench) {
    const perSecond = await interleave(bench.rounds, {
      engine: () => giveUp(bench, bench.engine, { target: 'refuse' }),
      loop: () => giveUp(bench, loop),
    });
    return [{ id: 'dead-letters', values: quotients(perSecond.engine, perSecond.loop) }];
  },
};

async function giveUp({ redis, invoke }: Bench, handler: string, settings: object = {}): Promise<number> {
  const [warmUp, stream] = [await fillStream(redis, WARM_UP, WARM_UP), await fillStream(redis, ENTRIES, ENTRIES)];
  const { calls } = await invoke(
    handler,
    [warmUp, stream].map((name) => ({ ...groupOf(name), ...settings })),
  );
  await removeStreams(redis, warmUp, stream);
  const { ms, answer } = calls[1]!;
  if ((answer as { deadLettered: number }).deadLettered !== ENTRIES) throw new Error(JSON.stringify(answer));
  return (ENTRIES / ms) * 1000;
}
