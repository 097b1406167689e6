import {
  createClient,
  type Client,
  type FoundRecord,
  type GoldenRecord,
  type InputOf,
  type MdmSearchInput,
  type OperationError,
  type OperationErrorType,
  type Transport,
} from '#lib/client/index.ts';

/*
 * Type tests of the client: `npm run check -- types` fails where a line compiles that must not, or the other way round.
 * Nothing here runs.
 */

type Filter = NonNullable<InputOf<'mdm-search'>['filters']>['filter'][number];

declare const client: Client;
const city = { businessEntity: 'c360.city' };

// Parameters with a default may be left out, arrays are arrays, outputs have their types.
export const id: Promise<string | null> = client.invoke('stream-xadd', { key: 'orders', entry: { sku: '1' } });
export const acknowledged = (ids: string[]): Promise<number> =>
  client.invoke('stream-xack', { key: 'k', group: 'g', ids });
export const entries: AsyncIterable<{ id: string }> = client.entries({ key: 'orders', count: 10 });
export const records: AsyncIterable<Record<string, unknown>> = client.records({ ...city, search: '*', pageSize: 10 });

// Records whose fields are not known.
export const anything: Promise<Record<string, unknown>> = client
  .invoke('mdm-master-read', { ...city, businessId: 'M1' })
  .then(({ payload }) => payload);
export const page: Promise<Record<string, unknown>[]> = client
  .invoke('mdm-search', { ...city, search: '*' })
  .then(({ payload }) => payload.searchResult.records);
void client.invoke('mdm-source-submit', { ...city, sourceSystem: 's', record: { anything: true } });
export const query: MdmSearchInput = { ...city, search: 'Bonn', pageSize: 10 };
void client.invoke('mdm-search', query);

// One lookup form.
void client.invoke('mdm-master-read', { ...city, businessId: 'M1' });
void client.invoke('mdm-master-read', { ...city, sourceSystem: 's', sourcePKey: '1' });
// @ts-expect-error -- neither of the two is given
void client.invoke('mdm-master-read', { ...city });
// @ts-expect-error -- both at the same time
void client.invoke('mdm-master-read', { ...city, businessId: 'M1', sourceSystem: 's', sourcePKey: '1' });
// @ts-expect-error -- half a source key
void client.invoke('mdm-master-read', { ...city, sourceSystem: 's' });

// Search by text or by fields.
void client.invoke('mdm-search', { ...city, fields: { name: 'Bonn' } });
// @ts-expect-error -- neither of the two is given
void client.invoke('mdm-search', { ...city });
// @ts-expect-error -- both at the same time
void client.invoke('mdm-search', { ...city, search: 'Bonn', fields: { name: 'Bonn' } });
// @ts-expect-error -- paging is the client's
void client.records({ ...city, search: 'Bonn', pageOffset: 2 });

// A change of a golden record names its source system.
void client.invoke('mdm-master-update', { ...city, businessId: 'M1', sourceSystem: 's', record: {} });
// @ts-expect-error -- the source system is missing
void client.invoke('mdm-master-update', { ...city, businessId: 'M1', record: {} });
void client.invoke('mdm-relationship-update', { relationship: 'r', id: '1', attributes: { since: 1 } });
// @ts-expect-error -- no such kind of job
void client.invoke('mdm-job-start', { jobDefinitionId: 'j', kind: 'merge' });

// One way of eviction.
void client.invoke('stream-xtrim', { key: 'k', evictionOption: { maxLength: 10 } });
void client.invoke('stream-xtrim', { key: 'k', evictionOption: { id: '1-0', exactTrimming: false, limit: 10 } });
// @ts-expect-error -- neither of the two is given
void client.invoke('stream-xtrim', { key: 'k', evictionOption: { exactTrimming: false } });
// @ts-expect-error -- both at the same time
void client.invoke('stream-xtrim', { key: 'k', evictionOption: { maxLength: 10, id: '1-0' } });

// @ts-expect-error -- limit is for approximate trimming
void client.invoke('stream-xtrim', { key: 'k', evictionOption: { maxLength: 10, limit: 10 } });
// @ts-expect-error -- limit is for approximate trimming
void client.invoke('stream-xtrim', { key: 'k', evictionOption: { maxLength: 10, exactTrimming: true, limit: 10 } });

// One way of paging.
void client.invoke('mdm-search', { ...city, search: 'Bonn', pageSize: 10, pageOffset: 2 });
void client.invoke('mdm-search', { ...city, search: 'Bonn', recordsToReturn: 10, recordOffset: 20 });
void client.invoke('mdm-search', { ...city, search: 'Bonn', recordOffset: 20 });
// @ts-expect-error -- both at the same time
void client.invoke('mdm-search', { ...city, search: 'Bonn', pageSize: 10, recordOffset: 20 });

// A filter has the values of its comparator.
const filtered = (filter: Filter[]) =>
  client.invoke('mdm-search', { ...city, search: '*', filters: { operator: 'AND', filter } });
void filtered([
  { comparator: 'EQUALS', fieldName: 'a', fieldValue: 'b' },
  { comparator: 'IN', fieldName: 'a', fieldValue: ['b', 'c'] },
  { comparator: 'IS_MISSING', fieldName: 'a' },
  { comparator: 'BETWEEN', fieldName: 'a', fieldValueGroups: [[1, 2]] },
]);
// @ts-expect-error -- EQUALS needs a value
void filtered([{ comparator: 'EQUALS', fieldName: 'a' }]);
// @ts-expect-error -- EQUALS takes one value
void filtered([{ comparator: 'EQUALS', fieldName: 'a', fieldValue: ['b'] }]);
// @ts-expect-error -- IN takes a list
void filtered([{ comparator: 'IN', fieldName: 'a', fieldValue: 'b' }]);
// @ts-expect-error -- IS_MISSING takes no value
void filtered([{ comparator: 'IS_MISSING', fieldName: 'a', fieldValue: 'b' }]);

// Records to merge: by business id or by source key.
const merged = (records: InputOf<'mdm-merge'>['records']) => client.invoke('mdm-merge', { ...city, records });
void merged([{ businessId: 'M1' }, { sourceSystem: 's', sourcePKey: '1' }]);
// @ts-expect-error -- neither of the two is given
void merged([{ businessId: 'M1' }, {}]);
// @ts-expect-error -- both at the same time
void merged([{ businessId: 'M1' }, { businessId: 'M2', sourceSystem: 's', sourcePKey: '1' }]);

// A pause for a time, or its end.
void client.invoke('stream-pause', { forMs: 1000 });
void client.invoke('stream-pause', { resume: true });
// @ts-expect-error -- neither of the two is given
void client.invoke('stream-pause', {});
// @ts-expect-error -- both at the same time
void client.invoke('stream-pause', { forMs: 1000, resume: true });
// @ts-expect-error -- a pause ends with true
void client.invoke('stream-pause', { resume: false });

// A summary of what is pending, or its entries.
const pending = { key: 'k', group: 'g' };
void client.invoke('stream-xpending', pending);
void client.invoke('stream-xpending', { ...pending, start: '-', end: '+', count: 10, consumer: 'c' });
// @ts-expect-error -- half a range
void client.invoke('stream-xpending', { ...pending, start: '-', count: 10 });
// @ts-expect-error -- a consumer needs a range
void client.invoke('stream-xpending', { ...pending, consumer: 'c' });

// Metadata: an entity by its id, relationships in pages.
void client.invoke('mdm-metadata-read', { resource: 'RELATIONSHIP', pageSize: 10 });
void client.invoke('mdm-metadata-read', { resource: 'VIEW', objectInternalId: 'v' });
// @ts-expect-error -- which view?
void client.invoke('mdm-metadata-read', { resource: 'VIEW' });
// @ts-expect-error -- there is one data model
void client.invoke('mdm-metadata-read', { resource: 'DATAMODEL', objectInternalId: 'v' });
// @ts-expect-error -- only relationships are paged
void client.invoke('mdm-metadata-read', { resource: 'DATAMODEL', allPages: true });

// At least one end of a relationship, and no body with GET.
void client.invoke('mdm-relationship-search', { relationship: 'r', from: { ...city, businessId: 'M1' } });
// @ts-expect-error -- no end is given
void client.invoke('mdm-relationship-search', { relationship: 'r' });
void client.invoke('mdm-http-request', { method: 'POST', path: '/a', body: { a: 1 } });
// @ts-expect-error -- GET has no body
void client.invoke('mdm-http-request', { method: 'GET', path: '/a', body: { a: 1 } });

// A patch has the value, or the path, that its operation needs.
const patched = (operations: InputOf<'mdm-source-patch'>['operations']) =>
  client.invoke('mdm-source-patch', { ...city, sourceSystem: 's', sourcePKey: '1', operations });
void patched([
  { op: 'add', path: '/a', value: null },
  { op: 'move', path: '/a', from: '/b' },
  { op: 'remove', path: '/a' },
]);
// @ts-expect-error -- replace needs a value
void patched([{ op: 'replace', path: '/a' }]);
// @ts-expect-error -- copy needs from
void patched([{ op: 'copy', path: '/a' }]);

// @ts-expect-error -- there is no such operation
void client.invoke('stream-xfoo', {});
// @ts-expect-error -- key is required
void client.invoke('stream-xadd', { entry: { a: '1' } });
// @ts-expect-error -- there is no such parameter
void client.invoke('stream-xadd', { key: 'k', entry: { a: '1' }, ttl: 1 });
// @ts-expect-error -- a client needs a transport
void createClient();

/** An exhaustive switch over the types of an error. */
export function explain({ type }: OperationError): string {
  switch (type) {
    case 'MDM:CLIENT_ERROR':
    case 'STREAM:ARGUMENT':
    case 'STREAM:WRONG_TYPE':
      return 'the call';
    case 'MDM:SERVER_ERROR':
    case 'MDM:TIMEOUT':
    case 'MDM:CONNECTIVITY':
    case 'STREAM:COMMAND':
      return 'the other side';
    case 'CONNECTOR:CHECK':
    case 'CONNECTOR:CONFIGURATION':
    case 'CONNECTOR:INTERNAL':
      return 'the connector';
    case 'CLIENT:TRANSPORT':
      return 'the way';
    default:
      return type satisfies never;
  }
}
export const types: OperationErrorType[] = ['CLIENT:TRANSPORT'];

/* Records as `npm run types` writes them. */

interface City {
  _meta?: { [k: string]: unknown };
  name: string;
  country: { Name?: string; Code?: string };
  population?: number | null;
  alternateName?: string[] | null;
  location?: { latitude: number; longitude: number } | null;
}
interface Person {
  firstName: string;
  addresses?: { _id?: string; city?: string | null }[] | null;
}
interface Records {
  'c360.city': City;
  'c360.person': Person;
}

declare const transport: Transport;
const typed = createClient<Records>(transport);
const key = { sourceSystem: 's', sourcePKey: '1' };

export async function readTyped(): Promise<unknown> {
  const { payload } = await typed.invoke('mdm-master-read', { businessEntity: 'c360.city', businessId: 'M1' });
  const population: number | undefined = payload.population;
  const latitude: number | undefined = payload.location?.latitude;
  const names: string[] | undefined = payload.alternateName;
  const id: string | number | undefined = payload._meta.businessId;
  const named: GoldenRecord<City> = payload;
  // @ts-expect-error -- there is no such field
  void payload.mayor;

  const person = await typed.invoke('mdm-source-read', { businessEntity: 'c360.person', ...key });
  const cities: (string | undefined)[] | undefined = person.payload.addresses?.map(({ city }) => city);
  const source: string | undefined = person.payload._meta.sourceSystem;
  // @ts-expect-error -- a field of a city
  void person.payload.population;

  const found = await typed.invoke('mdm-search', { businessEntity: 'c360.city', search: '*', pageSize: 10 });
  for (const record of found.payload.searchResult.records) {
    const ofSearch: FoundRecord<'c360.city', City> = record;
    const text: string | undefined = record['c360city.name'];
    const score: number | undefined = record._meta.score;
    // @ts-expect-error -- a search puts the entity before the name
    void record.name;
    void [ofSearch, text, score];
  }
  for await (const record of typed.records({ businessEntity: 'c360.person', search: '*' })) {
    const text: string | undefined = record['c360person.firstName'];
    void text;
  }
  return [population, latitude, names, id, named, cities, source];
}

const submit = { ...key, businessEntity: 'c360.city' } as const;
void typed.invoke('mdm-source-submit', { ...submit, record: { population: 313_125 } });
void typed.invoke('mdm-source-submit', { ...submit, record: { population: null, location: { latitude: 50.7 } } });
// @ts-expect-error -- there is no such field
void typed.invoke('mdm-source-submit', { ...submit, record: { populaton: 313_125 } });
// @ts-expect-error -- a number
void typed.invoke('mdm-source-submit', { ...submit, record: { population: 'many' } });
// @ts-expect-error -- a field of a city
void typed.invoke('mdm-source-enqueue', { ...key, businessEntity: 'c360.person', record: { population: 1 } });
// @ts-expect-error -- there is no such field, in a batch either
void typed.invoke('mdm-source-submit-batch', { ...submit, records: [{ sourcePKey: '1', record: { mayor: 'K.' } }] });
void typed.invoke('mdm-source-replace', { ...submit, record: { name: 'Bonn', country: { Code: 'DE' } } });
// @ts-expect-error -- the whole record has a country
void typed.invoke('mdm-source-replace', { ...submit, record: { name: 'Bonn' } });
void typed.invoke('mdm-match', { businessEntity: 'c360.city', record: { name: 'Bon' } });
// @ts-expect-error -- the tenant has no such entity
void typed.invoke('mdm-master-read', { businessEntity: 'c360.planet', businessId: 'M1' });
// @ts-expect-error -- there is no such parameter
void typed.invoke('mdm-master-read', { businessEntity: 'c360.city', businessId: 'M1', ttl: 1 });
// @ts-expect-error -- paging is the client's
void typed.records({ businessEntity: 'c360.city', search: '*', pageOffset: 2 });
void typed.invoke('stream-xadd', { key: 'k', entry: { a: '1' } });
void typed.invoke('mdm-relationship-search', {
  relationship: 'c360.livesIn',
  from: { businessEntity: 'c360.person', businessId: 'M1' },
  to: { businessEntity: 'c360.city', businessId: 'M2' },
});
/** An entity that is known at run time alone. */
export const either = (
  businessEntity: keyof Records,
): Promise<{ payload: GoldenRecord<City> | GoldenRecord<Person> }> =>
  typed.invoke('mdm-master-read', { businessEntity, businessId: 'M1' });
