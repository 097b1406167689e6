import { expect, it } from '@jest/globals';
import { Feed } from '#sandbox/console/feed.ts';
import type { Post } from '#sandbox/stack/api.ts';
import type { CityRecord } from '#sandbox/stack/city.ts';
import { until } from '#test/support/until.ts';

interface Change {
  sourcePKey: string;
  operation?: string;
  record?: object;
}

const CITIES = Array.from({ length: 50 }, (_, at): CityRecord => ({
  businessEntity: 'c360.city',
  sourceSystem: 'geonames',
  sourcePKey: String(at),
  record: {
    name: 'Bonn',
    asciiName: 'bonn',
    country: { Code: 'DE' },
    population: 1000,
    location: { latitude: 50, longitude: 7 },
  },
}));

it("the console's feed submits, replaces and deletes, and deletes only what it submitted", async () => {
  const sent: Change[] = [];
  const post: Post = (route, change) => {
    expect(route).toBe('/mdm/source-enqueue');
    sent.push(change as Change);
    return Promise.resolve({} as never);
  };
  const feed = new Feed(post, CITIES);
  feed.perSecond = 200;
  await until(() => Promise.resolve(feed.enqueued >= 40));
  feed.close();

  const byOperation = Object.groupBy(sent, ({ operation = 'submit' }) => operation);
  expect(Object.keys(byOperation).sort()).toEqual(['delete', 'replace', 'submit']);
  expect(byOperation.replace!.every(({ record }) => record !== undefined)).toBe(true);
  for (const { sourcePKey, record } of byOperation.delete!) {
    const changes = sent.filter((change) => change.sourcePKey === sourcePKey);
    expect(record).toBeUndefined();
    expect(changes.map(({ operation = 'submit' }) => operation).slice(0, 2)).toEqual(['submit', 'delete']);
  }
});
