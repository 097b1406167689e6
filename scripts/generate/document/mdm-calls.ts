import type { Step } from './call.ts';
import { bonn, FURTHER_CALLS, key } from './mdm-further-calls.ts';

/** Calls on one tenant. Each sees the effects of the earlier ones. */
export const CALLS: readonly Step[] = [
  ['business-entities', 'The business entities of the tenant.', {}],
  ['source-systems', 'The source systems that may submit cities.', { businessEntity: 'c360.city' }],
  [
    'record-schema',
    'The fields of a city that you may submit.',
    { businessEntity: 'c360.city', operation: 'source-submit' },
  ],
  ['record-schema', 'The entity does not exist.', { businessEntity: 'c360.planet', operation: 'search' }],
  ['source-submit', 'Submit a city from a first source.', { ...key, record: bonn }],
  [
    'source-submit',
    'Submit the same city from a second source. It joins the same golden record, which has the latest value of ' +
      'each field.',
    {
      ...key,
      sourceSystem: 'gazetteer',
      sourcePKey: 'bonn',
      record: { name: 'Bonn', country: { Code: 'DE' }, adminCode: '07', population: 330579 },
    },
  ],
  ['source-submit', 'A second submit updates the record.', { ...key, record: { ...bonn, surveyedAt: 1735689600000 } }],
  [
    'source-submit',
    'With `validate`, the error names all faults at once and nothing is sent.',
    { ...key, validate: true, record: { name: 'Bonn', population: 'many', mayor: 'K. Dörner' } },
  ],
  [
    'source-submit',
    'Without `validate`, the API refuses the record.',
    { ...key, record: { ...bonn, country: { Code: 'QQ' } } },
  ],
  ['master-read', 'Read by a source key. Population and survey are the latest of either source.', key],
  [
    'master-read',
    'Read by business id, with the survivorship decisions.',
    { businessEntity: 'c360.city', businessId: 'MDM00000000001', showContentMeta: true },
  ],
  ['master-read', 'Give one lookup form, not both.', { ...key, businessId: 'MDM00000000001' }],
  [
    'master-read',
    'The record does not exist. The response does not repeat the key.',
    { businessEntity: 'c360.city', businessId: 'MDM00000000002' },
  ],
  [
    'source-read',
    'Read only the record of the second source.',
    { ...key, sourceSystem: 'gazetteer', sourcePKey: 'bonn' },
  ],
  [
    'search',
    'Large cities in Germany, the largest first.',
    {
      businessEntity: 'c360.city',
      search: '*',
      filters: {
        operator: 'AND',
        filter: [
          { comparator: 'EQUALS', fieldName: 'c360city.country', fieldValue: 'DE' },
          { comparator: 'BETWEEN', fieldName: 'c360city.population', fieldValue: [100000, 1000000] },
        ],
      },
      sort: [{ fieldName: 'c360city.population', order: 'DESCENDING' }],
      pageSize: 10,
    },
  ],
  [
    'search',
    'Search by field, with all pages in one response.',
    { businessEntity: 'c360.city', fields: { name: 'bonn' }, allPages: true },
  ],
  [
    'search',
    'An invalid filter is refused. Without it, the search would return everything.',
    {
      businessEntity: 'c360.city',
      search: '*',
      filters: {
        operator: 'AND',
        filter: [{ comparator: 'BETWEEN', fieldName: 'c360city.population', fieldValue: [1] }],
      },
    },
  ],
  ['metadata-read', 'The relationships between entities.', { resource: 'RELATIONSHIP' }],
  ['metadata-read', 'A single object needs its id.', { resource: 'VIEW' }],
  [
    'http-request',
    "Send a request to any path of the API, with the connector's session.",
    { method: 'GET', path: '/metadata/api/v2/objects/referenceEntity/country' },
  ],
  [
    'http-request',
    'A path cannot leave the API, and a header cannot replace its session.',
    { method: 'GET', path: '/a/%2e%2e/b', headers: { 'IDS-SESSION-ID': 'mine' } },
  ],
  ['source-enqueue', 'The call responds as soon as the record is on the stream.', { ...key, record: bonn }],
  [
    'source-enqueue',
    'Without a source key, a redelivery would create a duplicate.',
    { ...key, sourcePKey: undefined, record: bonn },
  ],
  [
    'source-enqueue-batch',
    'Enqueue several records of one source. The ids have the order of the records.',
    {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      records: [
        { sourcePKey: '2946447', record: bonn },
        { sourcePKey: '2886242', record: { ...bonn, name: 'Cologne', population: 963395 } },
      ],
    },
  ],
  [
    'source-enqueue-batch',
    'With `validate`, the error names the faults of all records at once, and none is sent.',
    {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      validate: true,
      records: [
        { sourcePKey: '2946447', record: bonn },
        { sourcePKey: '2886242', record: { ...bonn, population: 'many', mayor: 'H. Reker' } },
      ],
    },
  ],
  ...FURTHER_CALLS,
  ['check', 'Everything works.', { businessEntity: 'c360.city' }],
  ['check', 'The tenant has no such entity. Over HTTP that is a 200 too.', { businessEntity: 'c360.planet' }],
];
