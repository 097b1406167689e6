import { refuse } from '../contract/connector.ts';
import type { Redis } from '../redis/redis.ts';

/** A stream to read, and from where. */
export interface Watermark {
  key: string;
  id: string;
}

/** Watermarks that one command can name together. Outside a cluster all can. */
export function bySlot<T extends Watermark>(redis: Pick<Redis, 'slotOf'>, watermarks: readonly T[]): T[][] {
  return [...Map.groupBy(watermarks, ({ key }) => redis.slotOf(key)).values()];
}

/**
 * Refuses a stream that is named twice: the response has one place for it.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT`
 */
export function refuseRepeated(watermarks: readonly Watermark[]): void {
  const seen = new Set<string>();
  const faults = watermarks.flatMap(({ key }, at) => {
    if (!seen.has(key)) return seen.add(key) && [];
    return [{ pointer: `/streamWatermarks/${at}/key`, message: 'is there already' }];
  });
  if (faults.length > 0) throw refuse('stream', faults);
}

/** The largest COUNT that Redis takes. */
const MAX_COUNT = 2n ** 63n - 1n;

/**
 * How many entries a caller asked for.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for a count beyond 64 bits.
 */
export function readCount(count: number | string | undefined): number {
  if (count === undefined) return Infinity;
  const exact = BigInt(count);
  if (exact > MAX_COUNT || exact < -MAX_COUNT - 1n) {
    throw refuse('stream', [{ pointer: '/count', message: 'must be an integer of 64 bits' }]);
  }
  return Number(exact);
}
