import { refuse } from '../contract/connector.ts';
import { limitFaults } from '../contract/validation.ts';
import type { Fault } from '../core/errors.ts';
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
 * Refuses what no read can begin with, before anything is read: a stream that is named twice, as the response has one place
 * for it, and an id beyond 64 bits.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT`
 */
export function refuseUnreadable(watermarks: readonly Watermark[]): void {
  const seen = new Set<string>();
  const faults = watermarks.flatMap(({ key, id }, at) => {
    const isRepeated = seen.has(key);
    seen.add(key);
    return [
      ...(isRepeated ? [{ pointer: `/streamWatermarks/${at}/key`, message: 'is there already' }] : []),
      ...idFaults(id, `/streamWatermarks/${at}/id`),
    ];
  });
  if (faults.length > 0) throw refuse('stream', limitFaults(faults));
}

/**
 * Refuses ids beyond 64 bits, before a portion of them is worked on.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT`
 */
export function refuseIds(ids: readonly string[]): void {
  const faults = ids.flatMap((id, at) => idFaults(id, `/ids/${at}`));
  if (faults.length > 0) throw refuse('stream', limitFaults(faults));
}

/** The largest half of an id. */
const MAX_ID_PART = 2n ** 64n - 1n;

/** What is wrong with an id whose form is right, or a special one. */
function idFaults(id: string, pointer: string): Fault[] {
  const isShort = id.length < 20; // less than 64 bits, in most cases
  if (isShort || id.split('-').every((part) => !/^\d/.test(part) || BigInt(part) <= MAX_ID_PART)) return [];
  return [{ pointer, message: 'must be an entry id whose halves have at most 64 bits' }];
}

/** The largest number that Redis takes. */
const MAX_INTEGER = 2n ** 63n - 1n;

/**
 * How many entries a caller asked for.
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
