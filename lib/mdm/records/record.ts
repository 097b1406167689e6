import { refuse } from '../../contract/refusals.ts';
import { limitFaults } from '../../contract/validation.ts';
import type { Fault } from '../../core/errors.ts';

/** Deeper than any data model, and far from exhausting the stack. */
const MAX_DEPTH = 100;

type Fields = Record<string, unknown>;

/**
 * A record as JSON, with exact numbers.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` if it is nested deeper than 100 levels.
 */
export function writeRecord(record: Fields, pointer = '/record'): string {
  const faults = depthFaults(record, pointer);
  if (faults.length > 0) throw refuse('mdm', faults);
  return JSON.stringify(record);
}

/**
 * Refuses the `records` of a batch if any cannot be written.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` with the faults of all records, at `/records/3/record`
 */
export function refuseUnwritable(records: readonly { readonly record?: Fields }[]): void {
  const faults = records.flatMap(({ record = {} }, index) => depthFaults(record, `/records/${index}/record`));
  if (faults.length > 0) throw refuse('mdm', limitFaults(faults));
}

function depthFaults(record: Fields, pointer: string): Fault[] {
  return isDeeperThan(record, MAX_DEPTH) ? [{ pointer, message: `is nested deeper than ${MAX_DEPTH} levels` }] : [];
}

/** Stops at that depth, so deeper values are safe. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
