import type { Bench } from './fixture.ts';
import { fillStream, groupOf, removeStreams } from './streams.ts';

export interface Load {
  /** How many entries are measured, and over how many keys by turns. */
  entries: number;
  keys: number;
  /** How many go before, in a stream of their own. */
  warmUp: number;
  /** Parameters beside stream and group. */
  settings?: object;
  /** The count in the answer that must be the number of entries. Default `processed`. */
  count?: 'processed' | 'deadLettered';
}

/** Has a handler work off a stream, in a container that has warmed up. Returns how long that took, in milliseconds. */
export async function carry({ redis, invoke }: Bench, handler: string, load: Load): Promise<number> {
  const { entries, keys, warmUp, settings = {}, count = 'processed' } = load;
  const streams = [await fillStream(redis, warmUp, keys), await fillStream(redis, entries, keys)];
  const { calls } = await invoke(
    handler,
    streams.map((stream) => ({ ...groupOf(stream), ...settings })),
  );
  await removeStreams(redis, ...streams);
  const { ms, answer } = calls[1]!;
  if ((answer as Record<string, unknown>)[count] !== entries) throw new Error(`${handler}: ${JSON.stringify(answer)}`);
  return ms;
}

/** What the engine is measured with where its target costs nothing: what it was found to be fastest with. */
export const ENGINE_SETTINGS = { target: 'take', batchSize: 400, concurrency: 400 };

/** A file of baselines/. */
export const baselineOf = (name: string) => new URL(`baselines/${name}.ts`, import.meta.url).pathname;
