import type { Post } from '../stack/api.ts';
import type { CityRecord } from '../stack/city.ts';

/*
 * The contracts' examples name golden records by id. The sandbox MDM numbers them in order, so the records of the
 * examples come first: Bonn, Köln, and for the merge the same city under a name that no rule matches.
 */

/** Source system and key of each. */
const CITIES = ['geonames 2946447', 'geonames 2886242', 'gazetteer 2692'];

const PERSON = {
  businessEntity: 'c360.person',
  sourceSystem: 'crm',
  sourcePKey: '1',
  record: { firstName: 'Ada', lastName: 'Lovelace' },
};

/** Whether the contracts' examples name a city. */
export const isExample = ({ sourceSystem, sourcePKey }: CityRecord) => CITIES.includes(`${sourceSystem} ${sourcePKey}`);

/** Submits the cities of the examples one by one, then the person of the relationship. */
export async function submitExamples(post: Post, cities: readonly CityRecord[]): Promise<void> {
  for (const record of [...cities, PERSON]) await post('/mdm/source-submit', record);
}
