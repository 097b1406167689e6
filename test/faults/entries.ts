import { shardOf } from '#lib/consumer/producer/source-change-entry.ts';
import { Random } from '#test/support/random.ts';
import type { Fate } from './ledger.ts';
import type { World } from './world.ts';

export const STREAM = 'worlds';
export const GROUP = 'faults';
/** Of all records. */
export const KIND = { businessEntity: 'c360.city', sourceSystem: 'faults' };

export interface Source {
  readonly sourcePKey: string;
  readonly record: object;
}

/** An entry before it is put on a stream. */
export interface Draft {
  readonly n: number;
  readonly key: string;
  readonly fate: Fate;
  /** What producers enqueue, if it is a source record. */
  readonly source: Source | undefined;
  readonly fields: readonly string[];
}

/** The entries of a world, in the order in which they are put on its streams. */
export function draftsOf({ seed, entries, keys, bytes, target }: World): Draft[] {
  return Array.from({ length: entries }, (_, n) => {
    const random = Random.of(seed, 'entry', n);
    const key = `key-${random.between(1, keys)}`;
    const fate: Fate = random.happens(target.hopeless)
      ? random.pick(target.kind === 'mdm' ? (['invalid', 'refused', 'failing'] as const) : (['failing'] as const))
      : 'whole';
    const fill = 'ü'.repeat(bytes[random.happens(0.05) ? 1 : 0] / 2);
    if (target.kind === 'lambda') {
      return { n, key, fate, source: undefined, fields: ['key', key, 'n', String(n), 'fill', fill] };
    }
    const record = { n, fill };
    const source = { sourcePKey: key, record };
    const written = fate === 'invalid' ? random.pick([[], ['record', '{"n":']]) : ['record', JSON.stringify(record)];
    const fields = [...Object.entries({ ...KIND, sourcePKey: key }).flat(), 'n', String(n), ...written];
    return { n, key, fate, source: fate === 'invalid' ? undefined : source, fields };
  });
}

export const streamOf = (key: string, shards: number): string => shardOf({ ...KIND, sourcePKey: key }, STREAM, shards);
export const streamsOf = (shards: number): string[] =>
  Array.from({ length: shards }, (_, shard) => `${STREAM}:${shard}`);
