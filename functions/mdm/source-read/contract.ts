import Type from 'typebox';
import { defineOperation } from '../../../lib/contract/operation.ts';
import {
  responseOf,
  BusinessEntity,
  RecordFields,
  recordAttributes,
  ResolveCrosswalk,
  ShowContentMeta,
  SourcePKey,
  SourceSystem,
} from '../../../lib/contract/mdm-parameters.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Read a source record. */
export const sourceRead = defineOperation({
  name: 'mdm-source-read',
  summary: 'Read a source record, the cross reference of one source system',
  input: Type.Object({
    businessEntity: BusinessEntity,
    sourceSystem: SourceSystem,
    sourcePKey: SourcePKey,
    resolveCrosswalk: ResolveCrosswalk,
    showContentMeta: ShowContentMeta,
  }),
  output: responseOf(RecordFields('The record with `_meta`, and `_contentMeta` where it was asked for.'), {
    ...recordAttributes,
    sourceLastUpdatedDate: text('When the source updated it last, epoch milliseconds.'),
    sourceSystem: text('Id of the source system.'),
    sourcePrimaryKey: text('Primary key in the source system.'),
    xrefType: text('Kind of cross reference.'),
  }),
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
