import { ConnectorError, describeFaults } from '../../core/errors.ts';

/** Deeper than any data model; far from where writing JSON would run out of stack. */
const MAX_DEPTH = 100;

/**
 * A record as JSON, its numbers as exact as they came.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` when it is nested deeper than 100 levels.
 */
export function writeRecord(record: Record<string, unknown>, pointer = '/record'): string {
  if (isDeeperThan(record, MAX_DEPTH)) {
    const faults = [{ pointer, message: `is nested deeper than ${MAX_DEPTH} levels` }];
    throw new ConnectorError('MDM:CLIENT_ERROR', describeFaults(faults), { status: 400, faults });
  }
  return JSON.stringify(record);
}

/** Looks no deeper than that, so any depth is safe to ask about. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
