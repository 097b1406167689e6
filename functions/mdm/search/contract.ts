import Type from 'typebox';
import { defineOperation, withDefault } from '../../../lib/contract/operation.ts';
import { responseOf, BusinessEntity, RecordFields, ShowContentMeta } from '../../../lib/contract/mdm-parameters.ts';
import { Filters, paging, SearchFields, searchRules, Sort } from '../../../lib/contract/search-parameters.ts';

const count = (description: string) => Type.Optional(Type.Integer({ description }));

/** Search golden records. */
export const search = defineOperation({
  name: 'mdm-search',
  summary: 'Search golden records by text or by field',
  description:
    'Needs `search` or `fields`. Pages are asked for with `pageSize` and `pageOffset`, or with `recordsToReturn` and ' +
    '`recordOffset`; the API reaches 10,000 records. `allPages` reads on from there to the last page, or to ' +
    '`maxRecords`, and answers with all records in one list. Names at the root of a record carry the entity, ' +
    '`c360person.lastName`.',
  input: Type.Object(
    {
      businessEntity: BusinessEntity,
      search: Type.Optional(
        Type.String({ minLength: 1, description: 'Text to search for in all fields; `*` is all.' }),
      ),
      fields: Type.Optional(SearchFields),
      filters: Type.Optional(Filters),
      sort: Type.Optional(Sort),
      ...paging,
      searchLocale: Type.Optional(Type.String({ minLength: 1, description: 'Language of the search, `en`.' })),
      showContentMeta: ShowContentMeta,
      allPages: withDefault(Type.Boolean({ description: 'Read on to the last page.' }), false),
    },
    searchRules,
  ),
  output: responseOf(RecordFields('The search response: `searchResult` with `hits` and `records`.'), {
    hits: count('Records that match in all.'),
    pageSize: count('As asked for or answered.'),
    pageOffset: count('As asked for or answered.'),
    recordsToReturn: count('As asked for or answered.'),
    recordOffset: count('As asked for or answered.'),
    maxRecords: count('As asked for.'),
    complete: Type.Optional(
      Type.Boolean({ description: 'With `allPages`: false when 10,000 records or 6 MB were reached before the end.' }),
    ),
  }),
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'pageSize',
  example: {
    input: { businessEntity: 'c360.city', search: 'bonn', pageSize: 1 },
    output: {
      payload: { searchResult: { hits: 1, records: [{ 'c360city.name': 'Bonn' }] } },
      attributes: { hits: 1, pageSize: 1, statusCode: 200, requestId: 'req-18' },
    },
  },
});
