import { paint } from '../stack/terminal.ts';
import { BROKEN } from './broken.ts';
import type { Post } from '../stack/api.ts';
import { matchKey, type CityRecord } from '../stack/city.ts';
import type { Ledger } from './ledger.ts';

const SHOWN_FAULTS = 10;
const SHOWN_GOLDEN = 3;

const count = (value: number) => value.toLocaleString('en').padStart(8);

/** Prints the result. */
export function printLedger(ledger: Ledger, seconds: number): void {
  const { recordsIn, golden, merged, buried, replaced, deleted, deadLetters, faults } = ledger;
  console.log(`
Records in       ${count(recordsIn)}   ${recordsIn - BROKEN.length} cities and ${BROKEN.length} broken records
Golden records   ${count(golden)}
Merged           ${count(merged)}   source records merged into another's golden record: same asciiName and country
Replaced         ${count(replaced)}   of them on the stream, after their submit
Deleted          ${count(deleted)}   duplicates more on the stream, after their submit
Dead letters     ${count(buried)}`);
  BROKEN.forEach(({ what }, index) => {
    const letter = deadLetters[index];
    if (letter) console.log(`    ${what}: ${letter.errorType}, ${letter.reason}`);
  });
  console.log(
    `Throughput       ${count(Math.round(recordsIn / seconds))}   records a second, in ${seconds.toFixed(1)} s`,
  );

  const hidden = faults.length - SHOWN_FAULTS;
  for (const fault of faults.slice(0, SHOWN_FAULTS)) console.error(paint('red', fault, process.stderr));
  if (hidden > 0) console.error(`… and ${hidden} more`);
  if (faults.length > 0) return;
  console.log(
    paint(
      'green',
      `Every record is accounted for: ${recordsIn} in = ${golden} golden + ${merged} merged + ${buried} dead letters`,
    ),
  );
}

interface MasterRead {
  payload: {
    _contentMeta: { trust: { fieldData: { name: string; sourceSystem: string }[] } };
    name: string;
    country: { Name: string };
    population: number;
    timeZone?: string;
  };
  attributes: { businessId: string };
}

/** Reads golden records back, those with the most sources first, and prints the source of each field. */
export async function printGoldenRecords(post: Post, cities: CityRecord[]): Promise<void> {
  const groups = [...Map.groupBy(cities, matchKey).values()].sort((a, b) => b.length - a.length);
  console.log('\nGolden records, read over POST /mdm/master-read:');
  for (const [{ businessEntity, sourceSystem, sourcePKey }] of groups.slice(0, SHOWN_GOLDEN) as [CityRecord][]) {
    const key = { businessEntity, sourceSystem, sourcePKey, showContentMeta: true };
    const { payload, attributes } = await post<MasterRead>('/mdm/master-read', key);
    const survivors = Object.groupBy(payload._contentMeta.trust.fieldData, ({ sourceSystem }) => sourceSystem);
    const { name, country, population, timeZone = '' } = payload;
    console.log(
      `  ${attributes.businessId}  ${name}, ${country.Name}: ${population.toLocaleString('en')} people, ${timeZone}`,
    );
    for (const [source, fields = []] of Object.entries(survivors)) {
      console.log(`    from ${source}: ${fields.map((field) => field.name).join(', ')}`);
    }
  }
}
