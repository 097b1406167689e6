import type { Step } from './call.ts';

export const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '2946447' };
export const bonn = {
  name: 'Bonn',
  country: { Code: 'DE' },
  adminCode: '07',
  population: 313125,
  featureCode: 'PPLA2',
};
const cityOfBonn = { businessEntity: 'c360.city', businessId: 'MDM00000000001' };
const livesIn = { relationship: 'c360.livesIn', id: 'REL00000001' };
const ludwig = { businessEntity: 'c360.person', businessId: 'MDM00000000005' };

/** Calls of further operations, after those of `mdm-calls.ts`. */
export const FURTHER_CALLS: readonly Step[] = [
  [
    'source-submit-batch',
    'The second record names an unknown country. The others are submitted.',
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
    'With `validate`, a fault in any record fails the whole batch.',
    {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      validate: true,
      records: [{ sourcePKey: '2886242', record: { mayor: 'H. Reker' } }],
    },
  ],
  [
    'source-patch',
    'Change the population and remove the feature code.',
    {
      ...key,
      operations: [
        { op: 'replace', path: '/population', value: 331885 },
        { op: 'remove', path: '/featureCode' },
      ],
    },
  ],
  ['source-patch', 'A replace needs a value.', { ...key, operations: [{ op: 'replace', path: '/population' }] }],
  [
    'source-replace',
    'Replace the whole record. Omitted fields are removed.',
    { ...key, record: { name: 'Bonn', country: { Code: 'DE' }, adminCode: '07', population: 331885 } },
  ],
  ['source-list', 'List the source records of Bonn.', { businessEntity: 'c360.city', businessId: 'MDM00000000001' }],
  [
    'match',
    'Find candidates for a misspelt city, the best first.',
    { businessEntity: 'c360.city', record: { name: 'Köllogne', country: { Code: 'DE' } }, searchLevel: 'TYPICAL' },
  ],
  [
    'merge-preview',
    'See what merging Cologne and Bonn would give. Nothing changes.',
    {
      businessEntity: 'c360.city',
      records: [{ businessId: 'MDM00000000001' }, { sourceSystem: 'geonames', sourcePKey: '2886242' }],
    },
  ],
  [
    'merge',
    'Merge Cologne and Bonn. The response names the golden record that survives.',
    {
      businessEntity: 'c360.city',
      records: [{ businessId: 'MDM00000000001' }, { sourceSystem: 'geonames', sourcePKey: '2886242' }],
    },
  ],
  [
    'master-read',
    'Read Bonn after the `merge` with Cologne. Each field has its latest value, whichever source it came from.',
    { businessEntity: 'c360.city', businessId: 'MDM00000000001', showContentMeta: true },
  ],
  [
    'merge',
    'Identify each record by one of the two forms.',
    { businessEntity: 'c360.city', records: [{ businessId: 'MDM00000000001' }, { sourceSystem: 'geonames' }] },
  ],
  [
    'unmerge',
    'Separate them again. The source record of Cologne gets its own golden record.',
    {
      businessEntity: 'c360.city',
      businessId: 'MDM00000000001',
      sources: [{ sourceSystem: 'geonames', sourcePKey: '2886242' }],
      keepRelationships: 'BUSINESS_ID',
    },
  ],
  [
    'master-update',
    'Change Bonn in the name of the CRM. The golden record gets a source record of it.',
    {
      ...cityOfBonn,
      sourceSystem: 'crm',
      sourcePKey: 'bonn',
      record: { name: 'Bonn', country: { Code: 'DE' }, adminCode: '07', population: 335789 },
    },
  ],
  [
    'master-patch',
    'Change only the population.',
    {
      ...cityOfBonn,
      sourceSystem: 'crm',
      sourcePKey: 'bonn',
      operations: [{ op: 'replace', path: '/population', value: 336465 }],
    },
  ],
  ['master-read', 'Read Bonn after a `master-update` and a `master-patch`.', cityOfBonn],
  [
    'source-submit',
    'Submit a person.',
    {
      businessEntity: 'c360.person',
      sourceSystem: 'crm',
      sourcePKey: 'ludwig',
      record: { firstName: 'Ludwig', lastName: 'van Beethoven', birthDate: '1770-12-17' },
    },
  ],
  [
    'relationship-create',
    'Relate a person to a city, with an attribute of the relationship.',
    {
      relationship: 'c360.livesIn',
      sourceSystem: 'crm',
      from: ludwig,
      to: cityOfBonn,
      attributes: { since: '1770-12-17' },
    },
  ],
  ['relationship-search', 'Find out who lives in Bonn.', { relationship: 'c360.livesIn', to: cityOfBonn }],
  ['relationship-search', 'Give at least one end.', { relationship: 'c360.livesIn' }],
  [
    'relationship-update',
    'Replace the attributes.',
    { ...livesIn, attributes: { since: '1770-12-17', reason: 'birth' } },
  ],
  ['relationship-read', 'Read the relationship with its attributes.', livesIn],
  ['relationship-delete', 'Delete the relationship. The person and the city stay.', livesIn],
  ['relationship-read', 'The relationship no longer exists.', livesIn],
  [
    'job-start',
    'The id is a number beyond 2^53. `attributes` hold it as text.',
    { jobDefinitionId: 'nightly-cities', kind: 'ingress' },
  ],
  ['job-start', 'Find and merge duplicates.', { jobDefinitionId: 'duplicate-cities', kind: 'match-and-merge' }],
  ['job-read', 'Read the state of the job.', { id: '714189942313869312' }],
  ['codelist-read', 'Read the codes that a lookup may name.', { id: 'gender' }],
  ['codelist-read', 'Read one value. The API returns it in another form.', { id: 'gender', code: 'F' }],
  ['metadata-read', 'Read all pages of the relationships as one.', { resource: 'RELATIONSHIP', allPages: true }],
  [
    'source-delete',
    'Delete the source record of Bonn in GeoNames. The golden record lives on from the gazetteer.',
    key,
  ],
  ['source-delete', 'The record no longer exists.', key],
  [
    'http-request',
    'Send bytes, in the form in which a response returns them. These are a JSON text.',
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
  ['master-delete', 'Delete Bonn, with the source records of gazetteer and CRM.', cityOfBonn],
  ['master-delete', 'The record no longer exists.', cityOfBonn],
];
