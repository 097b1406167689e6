import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import {
  RecordFields,
  ResolveCrosswalk,
  responseOf,
  ShowContentMeta,
  sourceAttributes,
  sourceKey,
} from '../../../lib/contract/parameters/mdm.ts';

/** Read a source record. */
export const sourceRead = defineOperation({
  name: 'mdm-source-read',
  group: 'records',
  summary: 'Read a source record, the cross reference of one source system',
  input: Type.Object({ ...sourceKey, resolveCrosswalk: ResolveCrosswalk, showContentMeta: ShowContentMeta }),
  output: responseOf(
    RecordFields('The record with `_meta`, and `_contentMeta` where it was asked for.'),
    sourceAttributes,
  ),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'showContentMeta',
  example: {
    input: { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '2946447' },
    output: {
      payload: { _meta: { businessId: 'MDM00000000001', sourceSystem: 'geonames' }, name: 'Bonn' },
      attributes: { businessId: 'MDM00000000001', sourceSystem: 'geonames', statusCode: 200, requestId: 'req-19' },
    },
  },
});
