import Type from 'typebox';
import { oneFormOf } from '../alternatives.ts';
import { INSTANT, ObjectInternalId } from './mdm.ts';

/** The values of a code list to read. */
export const codelistQuery = {
  id: { ...ObjectInternalId, description: 'Id of the code list.' },
  code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Read only the value with this code.' }),
  ),
  modifiedSince: Type.Optional(
    Type.String({
      pattern: INSTANT,
      description: 'Read only the values that changed at this time or later: `2026-01-31T00:00:00Z`.',
      'x-message': 'must be a time in ISO 8601 with its offset, such as 2026-01-31T00:00:00Z',
    }),
  ),
};

export type CodelistQuery = Type.Static<Type.TObject<typeof codelistQuery>>;

export const codelistRules = oneFormOf(
  [
    { name: 'CodelistValues', optional: ['modifiedSince'] },
    { name: 'CodelistValue', required: ['code'] },
  ],
  'has both code and modifiedSince: give one of them',
);
