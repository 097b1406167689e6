import Type from 'typebox';
import { fromClients, fromNobody, fromVendor } from '#lib/contract/known-from.ts';
import { defineOperation, withDefault } from '#lib/contract/operation.ts';
import { SearchOutput, searchQuery, searchRules } from '#lib/contract/parameters/search.ts';

export const search = defineOperation({
  name: 'mdm-search',
  group: 'records',
  summary: 'Search golden records by text or by field',
  description:
    'Give either `search` or `fields`. For a page, give `pageSize` and `pageOffset`, or `recordsToReturn` and ' +
    '`recordOffset`. The API reaches 10,000 records. `allPages` reads from there to the last page, or to ' +
    '`maxRecords`, and returns all records in one list, each once. In the records, names at the root start with ' +
    'the entity: `c360person.lastName`. A record that was just written is found after about a second.',
  input: Type.Object(
    { ...searchQuery, allPages: withDefault(Type.Boolean({ description: 'Read all pages.' }), false) },
    searchRules,
  ),
  output: SearchOutput,
  readOnly: true,
  errors: ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY'],
  narrowWith: 'pageSize',
  knownFrom: {
    path: fromVendor('Search API', 'Path, `search` or `fields`, `entityType`, and filters.'),
    responses: fromClients(
      'Filters without an operator are combined with AND; `fieldValueGroups`; responses in three more shapes.',
    ),
    reach: fromNobody('How far a page reaches: `allPages` trusts only what a page holds.'),
  },
  example: {
    input: { businessEntity: 'c360.city', search: 'bonn', pageSize: 1 },
    output: {
      payload: { searchResult: { hits: 1, records: [{ 'c360city.name': 'Bonn' }] } },
      attributes: { hits: 1, pageSize: 1, statusCode: 200, requestId: 'req-18' },
    },
  },
});
