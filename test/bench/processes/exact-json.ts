import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseExact } from '#lib/core/json.ts';
import { interleave } from '../rounds.ts';

/* Times of parsing 10 MB, in milliseconds by variant: business ids as text, and as bare numbers of 18 digits. */

const BYTES = 10_000_000;

function searchResults(idOf: (n: number) => string): string {
  const record = (n: number) =>
    `{"_meta":{"businessId":${idOf(n)},"businessEntity":"c360.person","states":{"base":"ACTIVE",` +
    `"validation":"PASSED","consolidation":"CONSOLIDATED"},"createdBy":"bench","creationDate":1700000000000,` +
    `"updatedBy":"bench","lastUpdateDate":1700000000000,"score":1.0},"c360person.firstName":"Lewis ${n}",` +
    `"c360person.PostalAddress":[{"_id":"3d4a${n}","city":"New \\"York\\"",` +
    '"country":{"Name":"United States","Code":"US"}}]}';
  const count = Math.ceil(BYTES / record(1_000_000).length);
  const records = Array.from({ length: count }, (_, n) => record(n));
  return `{"searchResult":{"hits":${count},"pageSize":${count},"pageOffset":0,"records":[${records.join(',')}]}}`;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Each starts with a clean heap, so none pays for another's garbage. */
const time = (parse: (text: string) => unknown, text: string) => () => {
  collectGarbage();
  const startedAt = performance.now();
  parse(text);
  return performance.now() - startedAt;
};

process.once('message', ({ rounds }: { rounds: number }) => {
  const small = searchResults((n) => `"MDM${String(n).padStart(11, '0')}"`);
  const big = searchResults((n) => String(714_189_942_313_869_312n + BigInt(n)));
  const variants = {
    plainSmall: time(JSON.parse, small),
    exactSmall: time(parseExact, small),
    plainBig: time(JSON.parse, big),
    exactBig: time(parseExact, big),
  };
  void interleave(2, variants)
    .then(() => interleave(rounds, variants))
    .then((ms) => process.send!(ms));
});
