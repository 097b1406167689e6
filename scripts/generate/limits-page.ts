import { MAX_LETTERS, MAX_REASONS } from '#lib/consumer/dead-letters/count-letters.ts';
import { DEAD_LETTER_FIELDS } from '#lib/consumer/dead-letters/letter.ts';
import { MAX_VALUES } from '#lib/consumer/dead-letters/move-letters.ts';
import { MAX_NOTES } from '#lib/consumer/dead-letters/notes.ts';
import { MAX_BATCH_BYTES } from '#lib/consumer/dispatch/batch.ts';
import * as breaker from '#lib/consumer/dispatch/breaker.ts';
import { PART } from '#lib/consumer/dispatch/fairness.ts';
import { MAX_CRASHES, MAX_REASON_LENGTH, MAX_RETRY_AFTER_MS } from '#lib/consumer/dispatch/failure-handler.ts';
import { WORTH_WAITING_MS } from '#lib/consumer/run.ts';
import { bodyBytesOf, VIEW_LIMIT } from '#lib/consumer/settings.ts';
import { TURN_MS } from '#lib/consumer/shards/lease-coordinator.ts';
import { HOT_FROM } from '#lib/consumer/window/key-order.ts';
import { MAX_DELAY_MS } from '#lib/consumer/window/pending-entry.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { MAX_FAULTS } from '#lib/contract/validation.ts';
import { MAX_IDLE_MS } from '#lib/mdm/exchange/agents.ts';
import { MAX_BODY_BYTES } from '#lib/mdm/exchange/content-encoding.ts';
import { MAX_DESCRIPTION } from '#lib/mdm/exchange/errors.ts';
import { MAX_HEADER_BYTES } from '#lib/mdm/exchange/observed-request.ts';
import { MAX_DEPTH } from '#lib/mdm/exchange/response.ts';
import { KEPT_MS as MODEL_KEPT_MS } from '#lib/mdm/metadata/data-model.ts';
import { MAX_DEPTH as RECORD_DEPTH } from '#lib/mdm/records/record.ts';
import { SEARCH_LIMIT } from '#lib/mdm/records/search-paging.ts';
import { KEPT_MS as SESSION_KEPT_MS } from '#lib/mdm/session/redis-session-store.ts';
import { FIRST_PAUSE_MS, MAX_LOGIN_PAUSE_MS } from '#lib/mdm/session/session-store.ts';
import { PROBE_AFTER_IDLE_MS } from '#lib/redis/connection.ts';
import { MAX_POOLS } from '#lib/redis/connections.ts';
import { READ_TIMEOUT_MS } from '#lib/runtime/config.ts';
import { ConnectorSecret } from '#lib/runtime/config.schema.ts';
import { MAX_RESPONSE_BYTES, MAX_TEXT_BYTES } from '#lib/runtime/output.ts';
import { SCAN_PER_CLAIM } from '#lib/stream/claim.ts';
import { MAX_SCAN } from '#lib/stream/read-group.ts';
import { MAX_ENTRY_TEXT } from '#lib/stream/read-range.ts';
import { PORTION_BYTES, PORTION_ITEMS } from '#lib/stream/scripts/measure.ts';
import { MOST_SCHEDULES, PARAMETERS } from '#deploy/parameters.ts';
import { MOST_TAGS } from '#deploy/tags.ts';
import { allBounds, number, type Bounded } from './bounds.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';
import { tableOf } from './tables.ts';

/** A limit, its value, and what happens beyond it. */
type Limit = [what: string, limit: string, beyond: string];

/** The page of every number that a user can run into, from the constants and contracts that set them. */
export function limitsPage(registry: readonly Operation[]): GeneratedFile {
  const timeouts = Object.groupBy(registry, ({ deploy }) => deploy.timeoutSeconds);
  const times = Object.entries(timeouts).map(([seconds, operations]): Limit => {
    const which = operations!.length > 1 ? 'Time of a call' : `Time of a call of \`${operations![0]!.name}\``;
    return [which, `${seconds} s`, 'the call ends in time: 20 % of it, at most 2 s, is kept for the response'];
  });
  const part = (title: string, text: string, ...table: Parameters<typeof tableOf>) => [
    `## ${title}`,
    text,
    tableOf(...table),
  ];
  const limits = (title: string, text: string, rows: Limit[]) =>
    part(title, text, ['what', 'limit', 'beyond it'], rows);
  const contents = [
    `<!-- ${GENERATED} -->`,
    '# Limits',
    'Every number that you can run into. Those of your Redis server, of your tenant and of your AWS account come on top.',
    ...limits('Calls', 'These hold for every operation.', [...times, ...CALLS]),
    ...part('Parameters', 'A call beyond these bounds fails with 400, before anything is sent. [The consumer](consumer.md#all-settings) lists its own.', ['parameter', 'allowed', 'of'], parametersOf(registry)),
    ...limits('Streams', '', STREAMS),
    ...limits('Master data', '', MASTER_DATA),
    ...limits('The consumer', '', CONSUMER),
    ...limits('Dead letters', '', DEAD_LETTERS),
    ...part('The secret', 'A secret beyond these bounds is a `CONNECTOR:CONFIGURATION` error.', ['member', 'allowed'], allBounds(ConnectorSecret as Bounded).filter(([path]) => !path.startsWith('ingest.consumer.')).map(([path, bounds]) => [`\`${path}\``, bounds])),
    ...limits('A deployment', '[Deploy](deploy.md#2-deploy) lists the bounds of its parameters.', DEPLOYMENT),
  ].filter((text) => text !== '').join('\n\n'); // prettier-ignore
  return { path: 'docs/limits.md', contents };
}

const CALLS: Limit[] = [
  ['A response', size(MAX_RESPONSE_BYTES), '413, with the parameter that narrows it; over HTTP the gzipped response counts'],
  ['A request', size(MAX_RESPONSE_BYTES), 'Lambda refuses it'],
  ['Faults that an error names', number(MAX_FAULTS), 'the error counts the others'],
  ["The master data API's own message in an error", `${number(MAX_DESCRIPTION)} characters`, 'it is cut'],
  ['Reading a secret', time(READ_TIMEOUT_MS), '500, `retryable`; a container that has read it before goes on with it'],
  ['Keeping a secret', `${time(Number(PARAMETERS.secretTtlMs.default))} by default`, 'it is read again; a refused login or AUTH reads it at once'],
]; // prettier-ignore

const STREAMS: Limit[] = [
  ['Text that a read takes before gzip', size(MAX_TEXT_BYTES), '413; a group read returns what fits'],
  ['Text of one entry', size(MAX_ENTRY_TEXT), '413 with its id; a group leaves it undelivered'],
  ['What one script looks at', `${number(PORTION_ITEMS)} items or ${size(PORTION_BYTES)}, or one larger entry`, 'the call runs more scripts; other clients come in between'],
  ['Pending entries that `claimMinIdleMs` looks at', number(MAX_SCAN), 'call again'],
  ['Pending entries that `stream-xautoclaim` looks at', `${SCAN_PER_CLAIM} × \`count\``, 'call again, from `next`'],
  ['`block`', 'the time of the call', 'the response is empty'],
  ['Configurations whose connections a container keeps', number(MAX_POOLS), 'the ones unused for longest are closed'],
  ['Idle time after which a connection is checked', time(PROBE_AFTER_IDLE_MS), 'a PING is sent first'],
]; // prettier-ignore

const MASTER_DATA: Limit[] = [
  ['Body of a response of the API, compressed or not', size(MAX_BODY_BYTES), '`MDM:SERVER_ERROR`'],
  ['Headers of a response of the API', size(MAX_HEADER_BYTES), '`MDM:SERVER_ERROR`'],
  ['Nesting of JSON in a response', `${number(MAX_DEPTH)} levels`, '`MDM:SERVER_ERROR`'],
  ['Nesting of a record', `${number(RECORD_DEPTH)} levels`, '400'],
  ['Records that a search reaches', number(SEARCH_LIMIT), '`allPages` ends with `complete: false`: narrow the search'],
  ['Rest after a refused login', `${time(FIRST_PAUSE_MS)}, growing to ${time(MAX_LOGIN_PAUSE_MS)}`, 'calls fail with the refusal meanwhile; a changed secret ends it'],
  ['Life of a shared session without an expiry of its own', time(SESSION_KEPT_MS), 'the next call logs in'],
  ['Idle time of a connection', time(MAX_IDLE_MS), 'it is closed'],
  ['Keeping the data model', time(MODEL_KEPT_MS), 'it is read again'],
]; // prettier-ignore

const CONSUMER: Limit[] = [
  ['Pending entries of a shard that a run knows', number(VIEW_LIMIT), 'it reads nothing new; if none is due, it ends `backpressure`'],
  ['Loaded entries', `${number(100 * (bodyBytesOf(1) / 2 ** 20))} % of the memory`, 'the run reads no more until some are processed'],
  ["Delay between an entry's attempts", `\`backoffMs\`, doubled up to ${time(MAX_DELAY_MS)}`, '–'],
  ['`Retry-After` that is honoured', time(MAX_RETRY_AFTER_MS), 'a longer one counts as this'],
  ['Slot time of retries, and of very long keys', `${PART * 100} % each`, 'they wait while other keys are ready'],
  ['Entries of one key that a run knows', number(HOT_FROM), 'the key counts as very long'],
  ['Fresh keys that fail in a row', number(breaker.FAILURES_IN_A_ROW), 'the circuit breaker opens'],
  ['Rest of the breaker', `${time(breaker.FIRST_REST_MS)}, doubled up to ${time(breaker.MAX_REST_MS)}; ${time(breaker.MAX_REFUSED_REST_MS)} if the target refuses`, '–'],
  ['Rest that a run waits for', time(WORTH_WAITING_MS), 'the run ends'],
  ['Crashes of one entry', number(MAX_CRASHES), 'it becomes a dead letter'],
  ['Keeping a shard while others wait', time(TURN_MS), 'the run gives it back'],
  ['Text of a batch for a Lambda target', size(MAX_BATCH_BYTES, 1_000_000), 'the next entry goes into another batch'],
]; // prettier-ignore

const DEAD_LETTERS: Limit[] = [
  ['Fields of an entry', `about ${number(mostFields())}`, 'it stays pending: no Redis script can write its letter'],
  ['`dl-reason`', `${number(MAX_REASON_LENGTH)} characters`, 'it is cut'],
  ['Letters that `stream-status` looks at', `the latest ${number(MAX_LETTERS)} of a shard`, 'older ones are not counted'],
  ['Reasons that `stream-status` lists', `the ${number(MAX_REASONS)} most frequent`, 'the others are counted together'],
  ['Redriven letters that wait to be processed', number(MAX_NOTES), '422: let the consumer work first'],
]; // prettier-ignore

const DEPLOYMENT: Limit[] = [
  ['Schedules', number(MOST_SCHEDULES), 'the deployment is refused before it is packaged'],
  ['Tags', number(MOST_TAGS), 'the same'],
  ['Resources of the template', '500', 'CloudFormation refuses it; all operations fit'],
];

/** A script writes names and values as words; the letter's own are some of them. */
function mostFields(): number {
  return Math.floor((MAX_VALUES / 2 - DEAD_LETTER_FIELDS.length) / 100) * 100;
}

/** Bounds of parameters that operations share are one row. */
function parametersOf(registry: readonly Operation[]): string[][] {
  const operations = new Map<string, Set<string>>();
  for (const { name, input } of registry.filter(({ deploy }) => !deploy.scheduled)) {
    for (const [path, bounds] of allBounds(input)) {
      const row = `\`${path.replace(/^.*\[?\]?\./, '')}\`\0${bounds}`;
      operations.set(row, (operations.get(row) ?? new Set()).add(name));
    }
  }
  return [...operations].map(([row, names]) => {
    const of = names.size > 4 ? `${names.size} operations` : [...names].map((name) => `\`${name}\``).join(', ');
    return [...row.split('\0'), of];
  });
}

function size(bytes: number, mega = 2 ** 20): string {
  return bytes < mega ? `${number(bytes / 1024)} kB` : `${number(bytes / mega)} MB`;
}

function time(ms: number): string {
  const [least, unit] = ms % 60_000 === 0 ? [60_000, 'min'] : [1000, 's'];
  return `${number(ms / least)} ${unit}`;
}
