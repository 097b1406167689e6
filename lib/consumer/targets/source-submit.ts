import { withTraceOfEntry } from '../../core/trace.ts';
import type { MdmClient } from '../../mdm/client/client.ts';
import { submitSource } from '../../mdm/records/source-submit.ts';
import { decodeSourceRecord } from '../producer/source-record-entry.ts';
import { fieldOf, fieldsOf, SOURCE_RECORD_KEY_FIELDS } from '../entry.ts';
import type { Target } from './target.ts';

/**
 * Submits entries written by `source-enqueue` as source records.
 *
 * @param mdm makes one attempt, because the consumer retries itself
 */
export function sourceSubmitTarget(mdm: MdmClient): Target {
  return {
    keyFields: SOURCE_RECORD_KEY_FIELDS,
    async process(entry, { signal }) {
      const submit = () => submitSource(mdm, decodeSourceRecord(fieldsOf(entry)), { signal });
      await withTraceOfEntry((name) => fieldOf(entry, name), submit);
    },
  };
}
