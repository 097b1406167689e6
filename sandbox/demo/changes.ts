import type { Records } from '../mdm/records/records.ts';
import type { Post } from '../stack/api.ts';
import type { CityRecord } from '../stack/city.ts';

/** How many records are replaced, and how many deleted. */
const EACH = 10;

/** Records that change after their submit, on the stream: it carries all changes of a record in order. */
export interface Changes {
  /** Submitted without people, then replaced by what they are. */
  readonly replaced: readonly CityRecord[];
  /** Duplicates of those under other keys: submitted, then deleted. */
  readonly deleted: readonly CityRecord[];
}

export function chooseChanges(cities: readonly CityRecord[]): Changes {
  const replaced = cities.slice(0, EACH);
  return { replaced, deleted: replaced.map((city) => ({ ...city, sourcePKey: `duplicate-of-${city.sourcePKey}` })) };
}

/** Enqueues a record that is replaced later. */
export function enqueueAndReplace(post: Post, city: CityRecord): Promise<void> {
  const before = { ...city, record: { ...city.record, population: 0 } };
  return enqueueAll(post, [before, { ...city, operation: 'replace' }]);
}

/** Enqueues a record that is deleted later. */
export function enqueueAndDelete(post: Post, city: CityRecord): Promise<void> {
  const { businessEntity, sourceSystem, sourcePKey } = city;
  return enqueueAll(post, [city, { businessEntity, sourceSystem, sourcePKey, operation: 'delete' }]);
}

async function enqueueAll(post: Post, changes: readonly object[]): Promise<void> {
  for (const change of changes) await post('/mdm/source-enqueue', change);
}

/** The source record of a city in the MDM. */
export const findSource = (records: Records, { businessEntity, sourceSystem, sourcePKey }: CityRecord) =>
  records.source(businessEntity, sourceSystem, sourcePKey);

/** Changes that the MDM does not have, or that an older one has overtaken, one per line. */
export function openChanges(records: Records, { replaced, deleted }: Changes): string[] {
  const isOld = (city: CityRecord) =>
    findSource(records, city)?.fields.get('population')?.value !== city.record.population;
  return [
    ...replaced.filter(isOld).map(({ sourcePKey }) => `Not replaced: record ${sourcePKey}`),
    ...deleted.filter((city) => findSource(records, city)).map(({ sourcePKey }) => `Not deleted: record ${sourcePKey}`),
  ];
}
