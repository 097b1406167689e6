import { bonn, FURTHER_CALLS, key, type Step } from './mdm-further-calls.ts';

/** Calls on one tenant; each finds what the earlier ones left. */
export const CALLS: readonly Step[] = [
  ['business-entities', 'Business entities of the tenant.', {}],
  ['source-systems', 'Source systems that may submit cities.', { businessEntity: 'c360.city' }],
  [
    'record-schema',
    'Fields of a city that may be submitted.',
    { businessEntity: 'c360.city', operation: 'source-submit' },
  ],
  ['record-schema', 'There is no such entity.', { businessEntity: 'c360.planet', operation: 'search' }],
  ['source-submit', 'A city from a first source.', { ...key, record: bonn }],
  [
    'source-submit',
    'The same city from a second source: it joins the same golden record. Fields left out keep their values.',
    {
      ...key,
      sourceSystem: 'gazetteer',
      sourcePKey: 'bonn',
      record: { name: 'Bonn', country: { Code: 'DE' }, adminCode: '07', population: 330579 },
    },
  ],
  ['source-submit', 'Submitting it again updates it.', { ...key, record: { ...bonn, surveyedAt: 1735689600000 } }],
  [
    'source-submit',
    'With `validate`, all faults are reported at once and nothing is sent.',
    { ...key, validate: true, record: { name: 'Bonn', population: 'many', mayor: 'K. Dörner' } },
  ],
  [
    'source-submit',
    'Without it, the API refuses the record.',
    { ...key, record: { ...bonn, country: { Code: 'QQ' } } },
  ],
  ['master-read', 'By a source key: population and survey are the latest of either source.', key],
  [
    'master-read',
    'By business id, with the decisions of survivorship.',
    { businessEntity: 'c360.city', businessId: 'MDM00000000001', showContentMeta: true },
  ],
  ['master-read', 'One lookup form, not both.', { ...key, businessId: 'MDM00000000001' }],
  [
    'master-read',
    'There is no such record. The response repeats no key.',
    { businessEntity: 'c360.city', businessId: 'MDM00000000002' },
  ],
  ['source-read', 'The record of the second source alone.', { ...key, sourceSystem: 'gazetteer', sourcePKey: 'bonn' }],
  [
    'search',
    'Large cities of Germany, largest first.',
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
    'By field, all pages in one response.',
    { businessEntity: 'c360.city', fields: { name: 'bonn' }, allPages: true },
  ],
  [
    'search',
    'A filter that could not be built is refused: left out, it would return everything.',
    {
      businessEntity: 'c360.city',
      search: '*',
      filters: {
        operator: 'AND',
        filter: [{ comparator: 'BETWEEN', fieldName: 'c360city.population', fieldValue: [1] }],
      },
    },
  ],
  ['metadata-read', 'Relationships between entities.', { resource: 'RELATIONSHIP' }],
  ['metadata-read', 'A single object needs its id.', { resource: 'VIEW' }],
  [
    'http-request',
    'Any path of the API, in the session of the connector.',
    { method: 'GET', path: '/metadata/api/v2/objects/referenceEntity/country' },
  ],
  [
    'http-request',
    'No path leaves the API, and no header replaces its session.',
    { method: 'GET', path: '/a/%2e%2e/b', headers: { 'IDS-SESSION-ID': 'mine' } },
  ],
  ['source-enqueue', 'Responds as soon as the record is on the stream.', { ...key, record: bonn }],
  [
    'source-enqueue',
    'Without a source key, a redelivery would create a duplicate.',
    { ...key, sourcePKey: undefined, record: bonn },
  ],
  [
    'source-enqueue-batch',
    'Several records of one source. The ids come in the order given.',
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
    'With `validate`, the faults of all records are reported at once, and none is sent.',
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
];
