import { createHash } from 'node:crypto';
import { refuse } from '../../contract/refusals.ts';
import { validate } from '../../contract/validation.ts';
import { parseExact } from '../../core/json.ts';
import { traceFields } from '../../core/trace.ts';
import { writeRecord } from '../../mdm/records/record.ts';
import type { Fields } from '../../stream/entries.ts';
import { SourceChange } from './source-change.schema.ts';

/** The key of a source record: changes with the same key are made in order. */
export type RecordKey = Pick<SourceChange, 'businessEntity' | 'sourceSystem' | 'sourcePKey'>;

/**
 * A change as the fields of a stream entry, with the trace of the call. The record itself is JSON. A submit has no
 * field `operation`, so that consumers of version 1.0 read it.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` for a record that is nested too deeply
 */
export function encodeChange(change: SourceChange): Fields {
  const { businessEntity, sourceSystem, sourcePKey, operation, record, businessId, resolveCrosswalk } = change;
  const { sourceLastUpdated } = change;
  const fields: Fields = { businessEntity, sourceSystem, sourcePKey };
  if (operation !== 'submit') fields.operation = operation;
  if (record !== undefined) fields.record = writeRecord(record);
  if (businessId !== undefined) fields.businessId = businessId;
  if (resolveCrosswalk) fields.resolveCrosswalk = 'true';
  if (sourceLastUpdated !== undefined) fields.sourceLastUpdated = String(sourceLastUpdated);
  return Object.assign(fields, traceFields());
}

/**
 * The change of a stream entry. Ignores other fields, so that producers can add their own.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR`, with every fault, for an entry that is no change of a source record
 */
export function decodeChange(fields: Fields): SourceChange {
  const { businessEntity, sourceSystem, sourcePKey, operation = 'submit', record, businessId } = fields;
  const { sourceLastUpdated } = fields;
  const change: Record<string, unknown> = { businessEntity, sourceSystem, sourcePKey, operation };
  if (record !== undefined) change.record = readRecord(record);
  if (businessId !== undefined) change.businessId = businessId;
  if (fields.resolveCrosswalk !== undefined) change.resolveCrosswalk = fields.resolveCrosswalk === 'true';
  if (sourceLastUpdated !== undefined) change.sourceLastUpdated = readTime(sourceLastUpdated);
  const faults = validate(SourceChange, change);
  if (faults.length > 0) throw refuse('mdm', faults);
  return change as SourceChange;
}

/** The shard of a key. It stays the same while the number of shards does. */
export function shardOf(key: RecordKey, stream: string, shards: number): string {
  const name = JSON.stringify([key.businessEntity, key.sourceSystem, key.sourcePKey]);
  const hash = createHash('sha256').update(name).digest();
  return `${stream}:${hash.readUInt32BE(0) % shards}`;
}

/** Epoch milliseconds, or text in ISO 8601. */
const readTime = (text: string) => (/^\d+$/.test(text) ? Number(text) : text);

function readRecord(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    throw refuse('mdm', [{ pointer: '/record', message: 'must be JSON' }]);
  }
}
