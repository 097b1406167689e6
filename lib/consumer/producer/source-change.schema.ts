import Type from 'typebox';
import { formOfChange, sourceChange } from '../../contract/parameters/source.ts';

/** A change of a source record in a stream. Its key makes a second delivery harmless. */
export const SourceChange = Type.Object(sourceChange, { additionalProperties: false, ...formOfChange });

export type SourceChange = Type.Static<typeof SourceChange>;
