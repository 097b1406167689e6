import { refuse } from '../contract/refusals.ts';
import { limitFaults } from '../contract/validation.ts';
import type { Redis } from '../redis/redis.ts';

/** A stream to read, and the id to read after. */
export interface Watermark {
  key: string;
  id: string;
}

/** The words of a read: all keys, then all ids, so that none can be read as an option. */
export function streamArgs(watermarks: readonly Watermark[]): string[] {
  return ['STREAMS', ...watermarks.map(({ key }) => key), ...watermarks.map(({ id }) => id)];
}

/** Groups watermarks by slot, because a command may name only one. Outside a cluster all are one group. */
export function bySlot<T extends Watermark>(redis: Pick<Redis, 'slotOf'>, watermarks: readonly T[]): T[][] {
  return [...Map.groupBy(watermarks, ({ key }) => redis.slotOf(key)).values()];
}

/**
 * Refuses a stream that is named twice, because the response has one place for it.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT`
 */
export function refuseRepeated(watermarks: readonly Watermark[]): void {
  const seen = new Set<string>();
  const faults = watermarks.flatMap(({ key }, at) => {
    const isRepeated = seen.has(key);
    seen.add(key);
    if (!isRepeated) return [];
    return [{ pointer: `/streamWatermarks/${at}/key`, message: 'is there already' }];
  });
  if (faults.length > 0) throw refuse('stream', limitFaults(faults));
}

/** The largest number that Redis accepts. */
const MAX_INTEGER = 2n ** 63n - 1n;

/**
 * The number of entries that a caller requested.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for a count beyond 64 bits.
 */
export function readCount(count: number | string | undefined): number {
  if (count === undefined) return Infinity;
  refuseIntegers({ count });
  return Number(count);
}

/**
 * Refuses numbers beyond 64 bits, by their names.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT`
 */
export function refuseIntegers(integers: Record<string, number | string | undefined>): void {
  const faults = Object.entries(integers).flatMap(([name, integer = 0]) => {
    const exact = BigInt(integer);
    const fits = exact <= MAX_INTEGER && exact >= -MAX_INTEGER - 1n;
    return fits ? [] : [{ pointer: `/${name}`, message: 'must be an integer of 64 bits' }];
  });
  if (faults.length > 0) throw refuse('stream', faults);
}
