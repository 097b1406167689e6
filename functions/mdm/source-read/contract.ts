import Type from 'typebox';
import { fromService, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation } from '#lib/contract/operation.ts';
import {
  ResolveCrosswalk,
  responseOf,
  ShowContentMeta,
  sourceAttributes,
  sourceKey,
  exampleKey,
  SourceRecord,
} from '#lib/contract/parameters/mdm.ts';

export const sourceRead = defineOperation({
  name: 'mdm-source-read',
  group: 'records',
  summary: 'Read a source record (the cross reference of one source system)',
  input: Type.Object({ ...sourceKey, resolveCrosswalk: ResolveCrosswalk, showContentMeta: ShowContentMeta }),
  output: responseOf(SourceRecord, sourceAttributes),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'showContentMeta',
  knownFrom: {
    path: fromVendor('Source record API', 'Path, `_resolveCrosswalk`, and `_meta`.'),
    key: fromService('The key of a source record may be an object `id` in `_meta`.'),
  },
  example: {
    input: exampleKey,
    output: {
      payload: { _meta: { businessId: 'MDM00000000001', sourceSystem: 'geonames' }, name: 'Bonn' },
      attributes: { businessId: 'MDM00000000001', sourceSystem: 'geonames', statusCode: 200, requestId: 'req-19' },
    },
  },
});
