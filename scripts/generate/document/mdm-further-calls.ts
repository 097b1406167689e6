/** A call, and what it shows. */
export type Step = readonly [operation: string, says: string, parameters: object];

export const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '2946447' };
export const bonn = {
  name: 'Bonn',
  country: { Code: 'DE' },
  adminCode: '07',
  population: 313125,
  featureCode: 'PPLA2',
};
const cityOfBonn = { businessEntity: 'c360.city', businessId: 'MDM00000000001' };
const ludwig = { businessEntity: 'c360.person', businessId: 'MDM00000000005' };

/** Calls of the operations that are not the specification's; they follow those of `mdm-calls.ts`. */
export const FURTHER_CALLS: readonly Step[] = [
  [
    'source-submit-batch',
    'Each record on its own: the second names no known country, and the others are submitted.',
    {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      concurrency: 1,
      records: [
        { sourcePKey: '2886242', record: { ...bonn, name: 'Cologne', population: 963395 } },
        { sourcePKey: '2911298', record: { ...bonn, name: 'Hamburg', country: { Code: 'QQ' } } },
        { sourcePKey: '2950159', record: { ...bonn, name: 'Berlin', adminCode: '16', population: 3426354 } },
      ],
    },
  ],
  [
    'source-submit-batch',
    'With `validate`, the faults of any record refuse the whole batch.',
    {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      validate: true,
      records: [{ sourcePKey: '2886242', record: { mayor: 'H. Reker' } }],
    },
  ],
  [
    'source-patch',
    'A new population, and no feature code any more.',
    {
      ...key,
      operations: [
        { op: 'replace', path: '/population', value: 331885 },
        { op: 'remove', path: '/featureCode' },
      ],
    },
  ],
  ['source-patch', 'Each operation needs its parts.', { ...key, operations: [{ op: 'replace', path: '/population' }] }],
  [
    'source-replace',
    'The record as a whole: what it leaves out is removed.',
    { ...key, record: { name: 'Bonn', country: { Code: 'DE' }, adminCode: '07', population: 331885 } },
  ],
  ['source-list', 'The source records of Bonn.', { businessEntity: 'c360.city', businessId: 'MDM00000000001' }],
  [
    'match',
    'A city that somebody misspelt: candidates, the best first.',
    { businessEntity: 'c360.city', record: { name: 'Köllogne', country: { Code: 'DE' } }, searchLevel: 'TYPICAL' },
  ],
  [
    'merge',
    'Cologne becomes one with Bonn: the golden record of the first survives.',
    {
      businessEntity: 'c360.city',
      records: [{ businessId: 'MDM00000000001' }, { sourceSystem: 'geonames', sourcePKey: '2886242' }],
    },
  ],
  [
    'master-read',
    'After a `merge` with Cologne: each field has its latest value, whichever source it came from.',
    { businessEntity: 'c360.city', businessId: 'MDM00000000001', showContentMeta: true },
  ],
  [
    'merge',
    'Each record by one of the two forms.',
    { businessEntity: 'c360.city', records: [{ businessId: 'MDM00000000001' }, { sourceSystem: 'geonames' }] },
  ],
  [
    'unmerge',
    'And apart again: the source record of Cologne gets a golden record of its own.',
    {
      businessEntity: 'c360.city',
      businessId: 'MDM00000000001',
      sources: [{ sourceSystem: 'geonames', sourcePKey: '2886242' }],
      keepRelationships: 'BUSINESS_ID',
    },
  ],
  [
    'source-submit',
    'A person.',
    {
      businessEntity: 'c360.person',
      sourceSystem: 'crm',
      sourcePKey: 'ludwig',
      record: { firstName: 'Ludwig', lastName: 'van Beethoven', birthDate: '1770-12-17' },
    },
  ],
  [
    'relationship-create',
    'Where a person lives.',
    { relationship: 'c360.livesIn', sourceSystem: 'crm', from: ludwig, to: cityOfBonn },
  ],
  ['relationship-search', 'Who lives in Bonn.', { relationship: 'c360.livesIn', to: cityOfBonn }],
  ['relationship-search', 'It needs an end.', { relationship: 'c360.livesIn' }],
  [
    'job-start',
    'The id is a number beyond 2^53: `attributes` hold it as text.',
    { jobDefinitionId: 'nightly-cities', kind: 'ingress' },
  ],
  ['job-read', 'Its state.', { id: '714189942313869312' }],
  ['codelist-read', 'The codes that a lookup may name.', { id: 'gender' }],
  ['metadata-read', 'All pages of the relationships, as one.', { resource: 'RELATIONSHIP', allPages: true }],
  [
    'source-delete',
    'The source record of Bonn in GeoNames is gone; the golden record lives on from the gazetteer.',
    key,
  ],
  ['source-delete', 'There is nothing left to delete.', key],
  [
    'http-request',
    'Bytes, in the form in which a response gives them: here, those of a JSON text.',
    {
      method: 'POST',
      path: '/search/public/api/v1/search',
      query: { _showContentMeta: false },
      body: {
        base64: 'eyJlbnRpdHlUeXBlIjoiYzM2MC5jaXR5Iiwic2VhcmNoIjoiYm9ubiIsInBhZ2VTaXplIjoxfQ==',
        contentType: 'application/json',
      },
    },
  ],
];
