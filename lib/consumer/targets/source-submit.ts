import { withTraceOfEntry } from '../../core/trace.ts';
import type { MdmClient } from '../../mdm/client.ts';
import { submitSource } from '../../mdm/source-submit.ts';
import { decodeSourceRecord } from '../source-record-entry.ts';
import { fieldOf, fieldsOf } from '../entry.ts';
import type { Target } from '../target.ts';

/** The fields that name a record: entries that agree in them are of one key. */
const KEY_FIELDS = ['businessEntity', 'sourceSystem', 'sourcePKey'];

/**
 * Submits entries as source records, as `source-enqueue` writes them.
 *
 * @param mdm tries once: the consumer itself tries again, later
 */
export function sourceSubmitTarget(mdm: MdmClient): Target {
  return {
    keyOf: (entry) => KEY_FIELDS.map((name) => fieldOf(entry, name)).join('\0'),
    async process(entry) {
      const submit = () => submitSource(mdm, decodeSourceRecord(fieldsOf(entry)));
      await withTraceOfEntry((name) => fieldOf(entry, name), submit);
    },
  };
}
