import { BROKEN } from './broken.ts';
import type { Carried } from './carry.ts';
import { openChanges } from './changes.ts';
import { matchKey, type CityRecord } from '../stack/city.ts';
import { readDeadLetters, type DeadLetter } from './dead-letters.ts';
import type { Stack } from '../stack/stack.ts';

/** What happened to every record. */
export interface Ledger {
  recordsIn: number;
  golden: number;
  merged: number;
  buried: number;
  /** How many records were replaced, and how many deleted, after their submit. */
  replaced: number;
  deleted: number;
  /** The dead letter of each broken record, in the order of `BROKEN`. */
  deadLetters: (DeadLetter | undefined)[];
  /** The differences, one per line; empty if every record is accounted for. */
  faults: string[];
}

/** Looks up each record, and compares the totals. */
export async function balance(stack: Stack, cities: CityRecord[], { broken, changes }: Carried): Promise<Ledger> {
  const { records } = stack.mdm;
  const letters = new Map((await readDeadLetters(stack.post, stack.shards)).map((letter) => [letter.source, letter]));
  const deadLetters = broken.map(({ stream, id }) => letters.get(`${stream} ${id}`));
  const arrived = records.allSources('c360.city').length;
  const golden = records.allGolden('c360.city').length;
  const expectedGolden = new Set(cities.map(matchKey)).size;

  const missing = cities
    .filter(({ businessEntity, sourceSystem, sourcePKey }) => !records.source(businessEntity, sourceSystem, sourcePKey))
    .map(({ sourceSystem, sourcePKey }) => `Missing: record ${sourcePKey} of ${sourceSystem}`);
  const unburied = BROKEN.filter((_, index) => !deadLetters[index]).map(({ what }) => `No dead letter for ${what}`);
  const faults = [...missing, ...unburied, ...openChanges(records, changes)];
  const recordsIn = cities.length + BROKEN.length;
  const buried = letters.size;
  if (arrived + buried !== recordsIn)
    faults.push(`${recordsIn} records in, but ${arrived} in the MDM and ${buried} dead letters`);
  if (golden !== expectedGolden) faults.push(`${golden} golden records, where the data has ${expectedGolden} cities`);
  const { length: replaced } = changes.replaced;
  const { length: deleted } = changes.deleted;
  return { recordsIn, golden, merged: arrived - golden, buried, replaced, deleted, deadLetters, faults };
}
