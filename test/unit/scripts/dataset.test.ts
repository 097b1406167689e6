import { describe, expect, it } from '@jest/globals';
import { chooseCities, matchKey } from '../../../scripts/start/dataset.ts';

describe('the data set of npm start', () => {
  it('has as many source records as asked for, each under a key of its own', () => {
    const cities = chooseCities(5000);

    const keys = new Set(cities.map(({ sourceSystem, sourcePKey }) => `${sourceSystem} ${sourcePKey}`));
    expect([cities.length, keys.size]).toEqual([5000, 5000]);
  });

  it('holds cities that both sources speak of', () => {
    const groups = Map.groupBy(chooseCities(1000), matchKey).values();

    const merging = [...groups].filter((group) => new Set(group.map(({ sourceSystem }) => sourceSystem)).size === 2);

    expect(merging.length).toBeGreaterThan(300);
  });

  it('puts no two places under one name and country', () => {
    const groups = Map.groupBy(chooseCities(20_000), matchKey).values();

    const latitudes = [...groups].map((group) => group.map(({ record }) => record.location.latitude));

    const spread = latitudes.map((values) => Math.max(...values) - Math.min(...values));
    expect(Math.max(...spread)).toBeLessThan(2);
  });

  it('holds the city of the examples, however few are asked for', () => {
    const [city] = chooseCities(1);

    expect(city?.record).toMatchObject({ name: 'Bonn', country: { Code: 'DE' } });
  });

  it('says how many there are to one who asks for more', () => {
    expect(() => chooseCities(1_000_000)).toThrow(/has \d+ cities: choose fewer --records/);
  });
});
