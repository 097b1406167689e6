/** What a client calls, weighted by how often each is listed. `n` counts its calls. */
export const MIX: readonly (readonly [route: `/${string}`, parameters: (n: number) => object])[] = [
  ['/stream/xadd', (n) => ({ key: KEY, entry: order(n, 'paid'), evictionOption: { maxLength: 10_000 } })],
  ['/stream/xadd', (n) => ({ key: KEY, entry: order(n, 'sent'), evictionOption: { maxLength: 10_000 } })],
  ['/stream/xrange', () => ({ key: KEY, start: '-', end: '+', count: 10 })],
  ['/stream/xinfo-groups', () => ({ key: KEY })],
  ['/mdm/source-enqueue', (n) => ({ ...keyOf(n), record: cityOf(n) })],
  ['/mdm/source-submit', (n) => ({ ...keyOf(n), record: cityOf(n) })],
  ['/mdm/master-read', () => keyOf(0)],
];

const KEY = 'load:orders';
const order = (n: number, status: string) => ({ order: String(n), status });

export const keyOf = (n: number) => {
  return { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: String(n % 1000) };
};
export const cityOf = (n: number) => ({ name: `City ${n % 1000}`, country: { Code: 'DE' } });
