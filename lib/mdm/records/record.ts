import { ConnectorError, describeFaults } from '../../core/errors.ts';

/** Deeper than any data model, and far from exhausting the stack. */
export const MAX_DEPTH = 100;

/**
 * A record as JSON, with exact numbers.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` if it is nested deeper than 100 levels.
 */
export function writeRecord(record: Record<string, unknown>, pointer = '/record'): string {
  if (isDeeperThan(record, MAX_DEPTH)) {
    const faults = [{ pointer, message: `is nested deeper than ${MAX_DEPTH} levels` }];
    throw new ConnectorError('MDM:CLIENT_ERROR', describeFaults(faults), { status: 400, faults });
  }
  return JSON.stringify(record);
}

/** Stops at that depth, so deeper values are safe. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
