import { fileURLToPath } from 'node:url';
import type { Bench } from './fixture.ts';
import { fillStream, groupOf, removeStreams } from './streams.ts';

export interface Load {
  /** Entries measured, and the number of keys that they take in turn. */
  entries: number;
  keys: number;
  /** Entries of each run of the warm-up, in a separate stream. Default: one run with as many as are measured. */
  warmUp?: number | readonly number[];
  /** Parameters other than stream and group. */
  settings?: object;
  /** The count in the response that must be the number of entries. Default `processed`. */
  count?: 'processed' | 'deadLettered';
  /** Share of a core that the process has while it is measured. Default 1. */
  share?: number;
}

/** Drains a stream with a handler in a warm container. Returns the milliseconds that it took. */
export async function carry({ redis, invoke }: Bench, handler: string, load: Load): Promise<number> {
  const { entries, keys, warmUp = entries, settings = {}, count = 'processed', share } = load;
  const streams: string[] = [];
  for (const size of [warmUp, entries].flat()) streams.push(await fillStream(redis, size, keys));
  const { calls } = await invoke(
    handler,
    streams.map((stream) => ({ ...groupOf(stream), ...settings })),
    { share },
  );
  await removeStreams(redis, ...streams);
  const { ms, response } = calls.at(-1)!;
  if ((response as Record<string, unknown>)[count] !== entries)
    throw new Error(`${handler}: ${JSON.stringify(response)}`);
  return ms;
}

/** Settings with which the engine is fast where its target costs nothing. */
export const ENGINE_SETTINGS = { target: 'take', batchSize: 400, concurrency: 400 };

/** A file of baselines/. */
export const baselineOf = (name: string) => fileURLToPath(new URL(`baselines/${name}.ts`, import.meta.url));
