import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import {
  BusinessEntity,
  BusinessId,
  masterAttributes,
  oneLookupForm,
  RecordFields,
  responseOf,
  ShowContentMeta,
  ShowPending,
  SkipLookup,
  SourcePKey,
  SourceSystem,
} from '../../../lib/contract/parameters/mdm.ts';

/** Read a golden record. */
export const masterRead = defineOperation({
  name: 'mdm-master-read',
  group: 'records',
  summary: 'Read a golden record by its business id or by a source key',
  description:
    'The golden record is the best version of truth, blended from all its source records. It is looked up by ' +
    '`businessId`, or by `sourceSystem` and `sourcePKey` of any of its source records; exactly one of the two.',
  input: Type.Object(
    {
      businessEntity: BusinessEntity,
      businessId: Type.Optional(BusinessId),
      sourceSystem: Type.Optional(SourceSystem),
      sourcePKey: Type.Optional(SourcePKey),
      skipLookup: SkipLookup,
      showContentMeta: ShowContentMeta,
      showPending: ShowPending,
    },
    oneLookupForm,
  ),
  output: responseOf(
    RecordFields('The record with `_meta`, and `_contentMeta` where it was asked for.'),
    masterAttributes,
  ),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'showContentMeta',
  example: {
    input: { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '2946447' },
    output: {
      payload: { _meta: { businessId: 'MDM00000000001' }, name: 'Bonn', country: { Name: 'Germany', Code: 'DE' } },
      attributes: { businessId: 'MDM00000000001', state: 'ACTIVE', statusCode: 200, requestId: 'req-17' },
    },
  },
});
