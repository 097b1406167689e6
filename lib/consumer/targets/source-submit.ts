import { withTraceOfEntry } from '../../core/trace.ts';
import { STREAM_OPERATIONS } from '../../contract/stream-operations.ts';
import { ConnectorError } from '../../core/errors.ts';
import type { MdmClient } from '../../mdm/client/client.ts';
import { deleteSource, replaceSource } from '../../mdm/records/source-change.ts';
import { submitSource } from '../../mdm/records/source-submit.ts';
import { addedAt, fieldOf, fieldsOf, SOURCE_RECORD_KEY_FIELDS, type Entry } from '../entry.ts';
import { decodeChange } from '../producer/source-change-entry.ts';
import { TargetFailure } from './failure.ts';
import type { Target } from './target.ts';

type Options = { readonly signal: AbortSignal };

const NOT_FOUND = 404;
const KNOWN: readonly string[] = STREAM_OPERATIONS;

/**
 * Makes the changes of source records that `source-enqueue` put on the stream.
 *
 * @param mdm makes one attempt, because the consumer retries itself
 */
export function sourceSubmitTarget(mdm: MdmClient): Target {
  return {
    name: 'source-submit',
    keyFields: SOURCE_RECORD_KEY_FIELDS,
    async process(entry, { signal }) {
      await withTraceOfEntry(
        (name) => fieldOf(entry, name),
        () => change(mdm, entry, { signal }),
      );
    },
  };
}

async function change(mdm: MdmClient, entry: Entry, options: Options): Promise<void> {
  refuseUnknownOperation(entry);
  const source = decodeChange(timedFieldsOf(mdm, entry));
  const { operation, record, sourceLastUpdated } = source;
  if (record === undefined) await deleteOnce(mdm, source, options);
  else if (operation === 'replace') await replaceSource(mdm, source, record, { ...options, sourceLastUpdated });
  else await submitSource(mdm, { ...source, record }, options);
}

/**
 * The fields of an entry with the time of its change: the given one, or that of its enqueue, so that a late entry does
 * not look new. If the configuration names no place for it, the field is a producer's own.
 */
function timedFieldsOf(mdm: MdmClient, entry: Entry): Record<string, string> {
  const fields = fieldsOf(entry);
  const isTimed = mdm.config.sourceLastUpdated !== undefined && fields.operation !== 'delete';
  if (isTimed) fields.sourceLastUpdated ??= String(addedAt(entry.id));
  else delete fields.sourceLastUpdated;
  return fields;
}

/** A later version may carry more. What this one does not know it must not take for a submit. */
function refuseUnknownOperation(entry: Entry): void {
  const operation = fieldOf(entry, 'operation');
  if (operation === undefined || KNOWN.includes(operation)) return;
  const message = `/operation is not known: this version carries ${KNOWN.join(', ')}`;
  throw new TargetFailure('invalid', 'CONNECTOR:OPERATION', message);
}

/**
 * The API's own 404 means that the record is gone: an earlier delivery deleted it, or somebody else did. A 404 without
 * an error code of the API may come from a gateway or a wrong path, so it stays a failure.
 */
async function deleteOnce(mdm: MdmClient, key: Parameters<typeof deleteSource>[1], options: Options): Promise<void> {
  try {
    await deleteSource(mdm, key, options);
  } catch (error) {
    const isMissing = error instanceof ConnectorError && error.upstreamStatus === NOT_FOUND && error.upstreamCode;
    if (!isMissing) throw error;
  }
}
