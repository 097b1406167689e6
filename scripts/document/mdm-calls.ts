type Step = readonly [operation: string, says: string, parameters: object];

const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '2946447' };
const bonn = { name: 'Bonn', country: { Code: 'DE' }, adminCode: '07', population: 313125, featureCode: 'PPLA2' };

/** A story of one tenant: each call meets what the ones before it left. */
export const STORY: readonly Step[] = [
  ['business-entities', 'What the tenant holds.', {}],
  ['source-systems', 'Who may submit cities.', { businessEntity: 'c360.city' }],
  [
    'record-schema',
    'What a city may hold when it is submitted.',
    { businessEntity: 'c360.city', operation: 'source-submit' },
  ],
  ['record-schema', 'There is no such entity.', { businessEntity: 'c360.planet', operation: 'search' }],
  ['source-submit', 'A city from a first source.', { ...key, record: bonn }],
  [
    'source-submit',
    'The same city from a second source: it gets under the same master record. What it leaves out stays.',
    {
      ...key,
      sourceSystem: 'gazetteer',
      sourcePKey: 'bonn',
      record: { name: 'Bonn', country: { Code: 'DE' }, adminCode: '07', population: 330579 },
    },
  ],
  ['source-submit', 'Submitted again, it is an update.', { ...key, record: { ...bonn, surveyedAt: 1735689600000 } }],
  [
    'source-submit',
    'With `validate`, all faults are told at once and nothing is sent.',
    { ...key, validate: true, record: { name: 'Bonn', population: 'many', mayor: 'K. Dörner' } },
  ],
  [
    'source-submit',
    'Without it, the API tells what it thinks.',
    { ...key, record: { ...bonn, country: { Code: 'QQ' } } },
  ],
  ['master-read', 'By a source key: population and survey are the latest of either source.', key],
  [
    'master-read',
    'By business id, and with what survivorship decided.',
    { businessEntity: 'c360.city', businessId: 'MDM00000000001', showContentMeta: true },
  ],
  ['master-read', 'One lookup form, not both.', { ...key, businessId: 'MDM00000000001' }],
  [
    'master-read',
    'It is not there. The answer repeats no key.',
    { businessEntity: 'c360.city', businessId: 'MDM00000000002' },
  ],
  [
    'source-read',
    'What the second source said, and nothing else.',
    { ...key, sourceSystem: 'gazetteer', sourcePKey: 'bonn' },
  ],
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
    'By field, all pages in one answer.',
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
  ['metadata-read', 'How entities relate.', { resource: 'RELATIONSHIP' }],
  ['metadata-read', 'One of many needs its id.', { resource: 'VIEW' }],
  [
    'http-request',
    'Any path of the API, in the session of the connector.',
    { method: 'GET', path: '/metadata/api/v2/objects/referenceEntity/country' },
  ],
  [
    'http-request',
    'No path leaves the API, and no header takes over its session.',
    { method: 'GET', path: '/a/%2e%2e/b', headers: { 'IDS-SESSION-ID': 'mine' } },
  ],
  ['source-enqueue', 'It answers as soon as the stream holds the record.', { ...key, record: bonn }],
  [
    'source-enqueue',
    'Without a key of its own a second delivery would be a duplicate.',
    { ...key, sourcePKey: undefined, record: bonn },
  ],
];
