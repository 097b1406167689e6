import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BROKEN } from '#sandbox/demo/broken.ts';
import { MATCH_FIELDS, type CityRecord } from '#sandbox/stack/city.ts';
import { balance } from '#sandbox/demo/ledger.ts';
import { type SandboxMdm, startSandboxMdm } from '#sandbox/mdm/index.ts';

const city = (sourceSystem: CityRecord['sourceSystem'], sourcePKey: string, name: string): CityRecord => ({
  businessEntity: 'c360.city',
  sourceSystem,
  sourcePKey,
  record: {
    name,
    asciiName: name.toLowerCase(),
    country: { Code: 'DE' },
    population: 1,
    location: { latitude: 50, longitude: 7 },
  },
});
const CITIES = [city('geonames', '1', 'Bonn'), city('gazetteer', '1', 'Bonn'), city('geonames', '2', 'Ulm')];
const BROKEN_PLACES = BROKEN.map((_, index) => ({ stream: 'source-submit:0', id: `${index}-0` }));

let mdm: SandboxMdm;
beforeEach(async () => {
  mdm = await startSandboxMdm({ matchRules: { 'c360.city': MATCH_FIELDS } });
});
afterEach(() => mdm.close());

const DUPLICATE = city('geonames', 'duplicate-of-2', 'Ulm');

/** The books over a stack whose MDM took these cities, and whose stream has these dead letters. */
function balanceOf(arrived: CityRecord[], buriedIds: string[], population = 1) {
  for (const { businessEntity: entity, ...source } of arrived) mdm.records.submit({ entity, ...source });
  const letters = buriedIds.map((id) => [
    id,
    { 'dl-source-id': id, 'dl-error-type': 'MDM:CLIENT_ERROR', 'dl-reason': '' },
  ]);
  const post = async () => Object.fromEntries(letters) as never;
  return balance({ post, lambdaPort: 0, mdm, shards: ['source-submit:0'] }, CITIES, {
    broken: BROKEN_PLACES,
    changes: { replaced: [{ ...CITIES[2]!, record: { ...CITIES[2]!.record, population } }], deleted: [DUPLICATE] },
    seconds: 1,
  });
}

describe('the ledger of npm start', () => {
  const allBuried = BROKEN_PLACES.map(({ id }) => id);

  it('the ledger finds no fault when each record is golden, merged or a dead letter', async () => {
    const ledger = await balanceOf(CITIES, allBuried);

    expect(ledger).toMatchObject({ recordsIn: 8, golden: 2, merged: 1, buried: 5, faults: [] });
  });

  it('the ledger names a missing record', async () => {
    const { faults } = await balanceOf(CITIES.slice(0, 2), allBuried);

    expect(faults).toContain('Missing: record 2 of geonames');
  });

  it('the ledger names a broken record without a dead letter', async () => {
    const { faults } = await balanceOf(CITIES, allBuried.slice(1));

    expect(faults).toContain(`No dead letter for ${BROKEN[0]!.what}`);
  });

  it('the ledger reports a dead letter that belongs to no broken record', async () => {
    const { faults } = await balanceOf(CITIES, [...allBuried, '99-0']);

    expect(faults).toEqual(['8 records in, but 3 in the MDM and 6 dead letters']);
  });

  it('the ledger names a record left with an old value, and one that was not deleted', async () => {
    const { faults } = await balanceOf([...CITIES, DUPLICATE], allBuried, 2);

    expect(faults).toEqual(expect.arrayContaining(['Not replaced: record 2', 'Not deleted: record duplicate-of-2']));
  });

  it('the ledger reports records that did not merge', async () => {
    const { faults } = await balanceOf(
      [CITIES[0]!, { ...CITIES[1]!, record: { ...CITIES[1]!.record, asciiName: 'b' } }, CITIES[2]!],
      allBuried,
    );

    expect(faults).toEqual(['3 golden records, where the data has 2 cities']);
  });
});
