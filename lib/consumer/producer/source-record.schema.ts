import Type from 'typebox';
import { sourceKey, submission } from '../../contract/parameters/mdm.ts';

/** A source record in a stream. Its key makes a second submit an update instead of a duplicate. */
export const SourceRecord = Type.Object({ ...submission, ...sourceKey }, { additionalProperties: false });

export type SourceRecord = Type.Static<typeof SourceRecord>;
