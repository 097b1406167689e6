import type { Command, Redis } from '../redis/redis.ts';
import type { Output } from '../runtime/output.ts';
import type { EntryOptions } from './entries.ts';
import { lossOf } from './entry-decoder.ts';
import { fitsAlone, oversized } from './oversized.ts';
import type { Claim } from './scripts/claim.ts';
import { measureArgs, type Stop } from './scripts/measure.ts';

/**
 * Claims as many entries as fit the response; the others stay as they are.
 *
 * @param command claims what a measure admits
 * @param read how the entries are written, and where they go
 * @throws {ConnectorError} `STREAM:COMMAND` 413 where not one entry fits, 422 where the first is one that the chosen form
 *   cannot hold. Neither claims anything.
 */
export async function claim<T>(
  redis: Redis,
  command: (measure: readonly string[]) => Command<Claim<T>>,
  read: EntryOptions & { key: string; output: Output },
): Promise<T> {
  const { travel, left } = read.output;
  let alone: Stop | undefined;
  for (;;) {
    const measure = measureArgs(read, travel, alone?.size ?? left, alone?.id);
    const { output, stop } = await redis.send(command(measure));
    if (!stop) return output;
    alone = stop.kind === 'changed' ? undefined : stop;
    if (alone) await refuseUnfit(redis, alone, read);
  }
}

/** Refuses the entry that a claim stopped at, unless it fits a response of its own. */
async function refuseUnfit(
  redis: Redis,
  { kind, id, field, size }: Stop,
  read: EntryOptions & { key: string; output: Output },
): Promise<void> {
  if (kind === 'repeated' || kind === 'bytes') throw lossOf(kind, id, field);
  if (!(await fitsAlone(redis, { key: read.key, id, size }, read))) throw oversized(id);
}
