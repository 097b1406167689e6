import Type from 'typebox';
import { sourceKey, submission } from '../../contract/parameters/mdm.ts';

/** A source record on its way to the master data API; its key makes a second submit an update, not a duplicate. */
export const SourceRecord = Type.Object({ ...submission, ...sourceKey }, { additionalProperties: false });

export type SourceRecord = Type.Static<typeof SourceRecord>;
