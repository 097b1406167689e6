import Type from 'typebox';
import { fromClients, fromNobody, fromService, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import {
  BusinessEntity,
  BusinessId,
  GoldenRecord,
  masterAttributes,
  oneLookupForm,
  responseOf,
  ShowContentMeta,
  ShowPending,
  SkipLookup,
  SourcePKey,
  SourceSystem,
  exampleKey,
} from '#lib/contract/parameters/mdm.ts';

export const masterRead = defineOperation({
  name: 'mdm-master-read',
  group: 'records',
  summary: 'Read a golden record by its business id or by a source key',
  description:
    'A golden record combines the values of all its source records. Look it up either by `businessId`, or by ' +
    '`sourceSystem` and `sourcePKey` of any of its source records.',
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
  output: responseOf(GoldenRecord, masterAttributes),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'showContentMeta',
  knownFrom: {
    lookups: fromVendor('Business entity record APIs', 'Both lookups, and the states in `_meta`.'),
    pending: fromClients('`_showPending` means records that wait for a review of their creation, change or deletion.'),
    merged: fromService('The id of a record that was merged away answers with the record that it went into.'),
    contentMeta: fromNobody('Whether a source key gives `_contentMeta`: the vendor shows it by business id only.'),
  },
  example: {
    input: exampleKey,
    output: {
      payload: { _meta: { businessId: 'MDM00000000001' }, name: 'Bonn', country: { Name: 'Germany', Code: 'DE' } },
      attributes: { businessId: 'MDM00000000001', state: 'ACTIVE', statusCode: 200, requestId: 'req-17' },
    },
  },
});
