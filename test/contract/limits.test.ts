import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const page = readFileSync('docs/limits.md', 'utf8');

/** The second cell of a row of the page. */
function limitOf(what: string): string {
  const row = page.split('\n').find((line) => line.startsWith(`| ${what}`));
  if (row === undefined) throw new Error(`docs/limits.md has no row ${what}`);
  return row.split('|')[2]!.trim();
}

/** The value of a constant of a source file. */
function constantOf(file: string, name: string): number {
  const expression = new RegExp(`\\bconst ${name} = ([\\d_*/ .MB]+);`).exec(readFileSync(file, 'utf8'))?.[1];
  if (expression === undefined) throw new Error(`${file} has no constant ${name}`);
  const factors = expression
    .replaceAll('_', '')
    .replace('MB', String(2 ** 20))
    .split(/ ([*/]) /);
  return factors.reduce((value, factor, at) => {
    if (at % 2 === 1) return value;
    return at === 0 ? Number(factor) : factors[at - 1] === '*' ? value * Number(factor) : value / Number(factor);
  }, 0);
}

const number = (value: number) => value.toLocaleString('en');
const bytes = (value: number) => (value < 2 ** 20 ? `${value / 1024} kB` : `${value / 2 ** 20} MB`);
const time = (ms: number) => (ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`);
const percent = (part: number) => `${part * 100} %`;

it.each([
  ['A response', 'lib/invocation/output.ts', 'MAX_RESPONSE_BYTES', bytes],
  ['Faults that an error names', 'lib/contract/validation.ts', 'MAX_FAULTS', number],
  ["The master data API's own message in an error", 'lib/mdm/exchange/errors.ts', 'MAX_DESCRIPTION', number],
  ['Reading a secret', 'lib/config/config.ts', 'READ_TIMEOUT_MS', time],
  ['Text that a read takes before gzip', 'lib/invocation/output.ts', 'MAX_TEXT_BYTES', bytes],
  ['Text of one entry', 'lib/stream/read-range.ts', 'MAX_ENTRY_TEXT', bytes],
  ['What one script looks at', 'lib/stream/scripts/measure.ts', 'PORTION_ITEMS', number],
  ['What one script looks at', 'lib/stream/scripts/measure.ts', 'PORTION_BYTES', bytes],
  ['Pending entries that `claimMinIdleMs` looks at', 'lib/stream/read-group.ts', 'MAX_SCAN', number],
  ['Pending entries that `stream-xautoclaim` looks at', 'lib/stream/claim.ts', 'SCAN_PER_CLAIM', number],
  ['Configurations whose connections a container keeps', 'lib/redis/connections.ts', 'MAX_POOLS', number],
  ['Idle time after which a connection is checked', 'lib/redis/connection.ts', 'PROBE_AFTER_IDLE_MS', time],
  ['Body of a response of the API', 'lib/mdm/exchange/content-encoding.ts', 'MAX_BODY_BYTES', bytes],
  ['Headers of a response of the API', 'lib/mdm/exchange/observed-request.ts', 'MAX_HEADER_BYTES', bytes],
  ['Nesting of JSON in a response', 'lib/mdm/exchange/response.ts', 'MAX_DEPTH', number],
  ['Nesting of a record', 'lib/mdm/records/record.ts', 'MAX_DEPTH', number],
  ['Records that a search reaches', 'lib/core/search-paging.ts', 'SEARCH_LIMIT', number],
  ['Rest after a refused login', 'lib/mdm/session/session-store.ts', 'FIRST_PAUSE_MS', time],
  ['Rest after a refused login', 'lib/mdm/session/session-store.ts', 'MAX_LOGIN_PAUSE_MS', time],
  ['Life of a shared session', 'lib/mdm/session/redis-session-store.ts', 'KEPT_MS', time],
  ['Idle time of a connection, also to a Lambda target', 'lib/core/kept-connections.ts', 'MAX_IDLE_MS', time],
  ['Keeping the data model', 'lib/mdm/metadata/data-model.ts', 'KEPT_MS', time],
  ['Pending entries of a shard that a run knows', 'lib/consumer/settings.ts', 'VIEW_LIMIT', number],
  ["Delay between an entry's attempts", 'lib/consumer/window/pending-entry.ts', 'MAX_DELAY_MS', time],
  ['`Retry-After` that is honoured', 'lib/consumer/dispatch/failure-handler.ts', 'MAX_RETRY_AFTER_MS', time],
  ['Slot time of retries', 'lib/consumer/dispatch/fairness.ts', 'PART', percent],
  ['Entries of one key that a run knows', 'lib/consumer/window/key-order.ts', 'HOT_FROM', number],
  ['Fresh keys that fail in a row', 'lib/consumer/dispatch/breaker.ts', 'FAILURES_IN_A_ROW', number],
  ['Rest of the breaker', 'lib/consumer/dispatch/breaker.ts', 'FIRST_REST_MS', time],
  ['Rest of the breaker', 'lib/consumer/dispatch/breaker.ts', 'MAX_REST_MS', time],
  ['Rest of the breaker', 'lib/consumer/dispatch/breaker.ts', 'MAX_REFUSED_REST_MS', time],
  ['Rest that a run waits for', 'lib/consumer/run.ts', 'WORTH_WAITING_MS', time],
  ['Crashes of one entry', 'lib/consumer/dispatch/failure-handler.ts', 'MAX_CRASHES', number],
  ['Keeping a shard while others wait', 'lib/consumer/shards/lease-coordinator.ts', 'TURN_MS', time],
  ['Text of a batch for a Lambda target', 'lib/consumer/dispatch/batch.ts', 'MAX_BATCH_BYTES', (n) => `${n / 1e6} MB`],
  ['`dl-reason`', 'lib/consumer/dispatch/failure-handler.ts', 'MAX_REASON_LENGTH', number],
  ['Letters that `stream-status` looks at', 'lib/consumer/dead-letters/count-letters.ts', 'MAX_LETTERS', number],
  ['Reasons that `stream-status` lists', 'lib/consumer/dead-letters/count-letters.ts', 'MAX_REASONS', number],
  ['Redriven letters that wait to be processed', 'lib/consumer/dead-letters/notes.ts', 'MAX_NOTES', number],
  ['Schedules', 'deploy/parameters.ts', 'MOST_SCHEDULES', number],
  ['Tags', 'deploy/parameters.ts', 'MOST_TAGS', number],
] as [string, string, string, (value: number) => string][])(
  'the limits page states %s as %s has it in %s',
  (what, file, name, format) => {
    expect(` ${limitOf(what)} `).toMatch(new RegExp(`[ (]${format(constantOf(file, name))}[ ,;]`));
  },
);

it('the limits page gives as many fields of an entry as a script writes', () => {
  const script = readFileSync('lib/consumer/dead-letters/scripts/most-values.lua', 'utf8');
  const values = Number(/MOST_VALUES = (\d+)/.exec(script)?.[1]);

  expect(limitOf('Fields of an entry')).toBe(number(values / 2));
});
