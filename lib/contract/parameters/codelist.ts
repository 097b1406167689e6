import Type from 'typebox';
import { oneFormOf } from '../alternatives.ts';
import { ObjectInternalId } from './mdm.ts';

/** The values of a code list to read. */
export const codelistQuery = {
  id: { ...ObjectInternalId, description: 'Id of the code list.' },
  code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Read only the value with this code.' }),
  ),
  modifiedSince: Type.Optional(
    Type.String({
      pattern:
        '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$',
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
