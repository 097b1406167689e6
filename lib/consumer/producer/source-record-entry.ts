import { createHash } from 'node:crypto';
import { refuse } from '../../contract/connector.ts';
import { parseExact } from '../../core/json.ts';
import { traceFields } from '../../core/trace.ts';
import { writeRecord } from '../../mdm/records/record.ts';
import { validate } from '../../contract/validation.ts';
import { SourceRecord } from './source-record.schema.ts';
import type { Fields } from '../../stream/entries.ts';

/** The key of a source record: entries with the same key are submitted in order. */
export type RecordKey = Pick<SourceRecord, 'businessEntity' | 'sourceSystem' | 'sourcePKey'>;

/**
 * A source record as the fields of a stream entry, with the trace of the call. The record itself is JSON.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` for a record that is nested too deeply
 */
export function encodeSourceRecord(source: SourceRecord): Fields {
  const { businessEntity, sourceSystem, sourcePKey, businessId, record, resolveCrosswalk } = source;
  return {
    businessEntity,
    sourceSystem,
    sourcePKey,
    record: writeRecord(record),
    ...(businessId !== undefined && { businessId }),
    ...(resolveCrosswalk && { resolveCrosswalk: 'true' }),
    ...traceFields(),
  };
}

/**
 * The source record of a stream entry. Ignores other fields, so that producers can add their own.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR`, with every fault, for an entry that is no source record.
 */
export function decodeSourceRecord(fields: Fields): SourceRecord {
  const { businessEntity, sourceSystem, sourcePKey, businessId, resolveCrosswalk } = fields;
  const source = {
    businessEntity,
    sourceSystem,
    sourcePKey,
    ...(businessId !== undefined && { businessId }),
    ...(resolveCrosswalk !== undefined && { resolveCrosswalk: resolveCrosswalk === 'true' }),
    ...(fields.record !== undefined && { record: readRecord(fields.record) }),
  };
  const faults = validate(SourceRecord, source);
  if (faults.length > 0) throw refuse('mdm', faults);
  return source as SourceRecord;
}

/** The shard of a key. It stays the same while the number of shards does. */
export function shardOf(key: RecordKey, stream: string, shards: number): string {
  const name = JSON.stringify([key.businessEntity, key.sourceSystem, key.sourcePKey]);
  const hash = createHash('sha256').update(name).digest();
  return `${stream}:${hash.readUInt32BE(0) % shards}`;
}

function readRecord(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    throw refuse('mdm', [{ pointer: '/record', message: 'must be JSON' }]);
  }
}
