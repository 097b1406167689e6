import { createHash } from 'node:crypto';
import { ConnectorError, describeFaults, type Fault } from '../../core/errors.ts';
import { parseExact } from '../../core/json.ts';
import { traceFields } from '../../core/trace.ts';
import { writeRecord } from '../../mdm/records/record.ts';
import { validate } from '../../contract/validation.ts';
import { SourceRecord } from './source-record.schema.ts';
import type { Fields } from '../../stream/entries.ts';

/** What entries of one thing share: they are submitted in the order of the stream. */
export type RecordKey = Pick<SourceRecord, 'businessEntity' | 'sourceSystem' | 'sourcePKey'>;

/**
 * A source record as the fields of a stream entry, with the trace of the call; the record itself is JSON.
 *
 * @param pointer where the record stands in the input, for a fault
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` for a record that is nested too deep
 */
export function encodeSourceRecord(source: SourceRecord, pointer = '/record'): Fields {
  const { businessEntity, sourceSystem, sourcePKey, businessId, record, resolveCrosswalk } = source;
  return {
    businessEntity,
    sourceSystem,
    sourcePKey,
    record: writeRecord(record, pointer),
    ...(businessId !== undefined && { businessId }),
    ...(resolveCrosswalk && { resolveCrosswalk: 'true' }),
    ...traceFields(),
  };
}

/**
 * The source record of a stream entry. Fields that are not of a source record are left alone, so that a producer can
 * add its own.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR`, with every fault, for an entry that can never become one.
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
  if (faults.length > 0) throw refusal(faults);
  return source as SourceRecord;
}

/** The stream that carries a key: the same for the same key, as long as the number of shards stays. */
export function shardOf(key: RecordKey, stream: string, shards: number): string {
  const name = JSON.stringify([key.businessEntity, key.sourceSystem, key.sourcePKey]);
  const hash = createHash('sha256').update(name).digest();
  return `${stream}:${hash.readUInt32BE(0) % shards}`;
}

function readRecord(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    throw refusal([{ pointer: '/record', message: 'must be JSON' }]);
  }
}

function refusal(faults: Fault[]): ConnectorError {
  return new ConnectorError('MDM:CLIENT_ERROR', describeFaults(faults), { status: 400, faults });
}
