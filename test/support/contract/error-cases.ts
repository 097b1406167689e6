import { randomBytes } from 'node:crypto';
import type { Misbehaviour } from '#sandbox/mdm/misbehaviour.ts';
import type { OperationName } from '#lib/client/client.ts';

/** A call that fails as a row of docs/errors.md says. */
export interface ErrorCase {
  /** The row's first cell, as far as needed to find it. */
  row: string;
  operation: OperationName;
  input: object;
  /** How the MDM misbehaves during the call. */
  mdm?: Misbehaviour;
  /** Fields of the error beyond the row's own. */
  expected?: object;
}

const key = { businessEntity: 'c360.person', sourceSystem: 'crm', sourcePKey: 'p-1' };
const read = (row: string, mdm?: Misbehaviour, expected?: object, more: object = {}): ErrorCase => {
  return { row, operation: 'mdm-master-read', input: { ...key, ...more }, mdm, expected };
};
const stream = (row: string, command: string, input: object, expected?: object): ErrorCase => {
  return { row, operation: `stream-${command}` as OperationName, input: { key: 'stream', ...input }, expected };
};
/** Text that no compression makes much shorter. */
export const randomText = (length: number) => randomBytes(length).toString('base64').slice(0, length);
const entity = '/business-entity';
const add = { entry: { a: '1' } };

/** One call for each row, some rows with more; `configRef`s are those of test/integration/endpoint/errors.test.ts. */
export const ERROR_CASES: ErrorCase[] = [
  read(
    'invalid input',
    undefined,
    { faults: faultsAt('/noSuchThing', '/sourcePKey') },
    { sourcePKey: '/', noSuchThing: 1 },
  ),
  read('a `configRef` without a secret', undefined, {}, { configRef: 'absent' }),
  {
    row: "the secret's `access` does not allow the MDM operation",
    operation: 'mdm-source-delete',
    input: { ...key, configRef: 'read-only' },
    expected: { retryable: false },
  },
  {
    row: 'an entity that the tenant does not have',
    operation: 'mdm-record-schema',
    input: { businessEntity: 'c360.nothing', operation: 'search' },
  },
  read(
    'the API responded 4xx',
    { path: entity, status: 409, body: { errorCode: 'E_409', errorSummary: 'No' } },
    { status: 409, upstreamStatus: 409, upstreamCode: 'E_409' },
  ),
  read(
    'the API responded 4xx',
    { path: entity, status: 429, headers: { 'retry-after': '40' } },
    { status: 429, retryable: true, retryAfterMs: 40_000 },
  ),
  read(
    'the API responded 401, also with a new session',
    { path: entity, status: 401, times: null },
    { upstreamStatus: 401, retryable: true },
  ),
  read(
    'the API responded 2xx, and its body is an error',
    { path: entity, status: 200, body: { errorCode: 'E_7', errorSummary: 'No' } },
    { upstreamStatus: 200, upstreamCode: 'E_7', retryable: false },
  ),
  read('a login was refused', undefined, {}, { configRef: 'refused' }),
  {
    row: 'a response over 6 MB',
    operation: 'mdm-http-request',
    input: { method: 'GET', path: '/metadata/large' },
    mdm: { path: '/metadata/large', status: 200, body: { text: randomText(7_000_000) } },
  },
  {
    row: 'a record of a batch after a failed one of its key',
    operation: 'mdm-source-submit-batch',
    input: {
      businessEntity: 'c360.city',
      sourceSystem: 'geonames',
      records: [
        { sourcePKey: 'p-1', record: { name: 1 } },
        ...['a', 'b'].map((name) => ({ sourcePKey: 'p-1', record: { name } })),
      ],
    },
    expected: { retryable: true },
  },
  read('the API responded 5xx', { path: entity, status: 500 }, { upstreamStatus: 500, retryable: false }),
  read(
    'the API responded 5xx',
    { path: entity, status: 503, headers: { 'retry-after': '50' } },
    { upstreamStatus: 503, retryable: true, retryAfterMs: 50_000 },
  ),
  read('a success with an invalid body', { path: entity, status: 200, html: true }),
  read('a 304', { path: entity, status: 304 }, { upstreamStatus: 304, retryable: false }),
  read('no response in time', { path: entity, delayMs: 1500 }, { retryable: true }, { configRef: 'hasty' }),
  read(
    'refused, reset, DNS, TLS',
    undefined,
    { retryable: true, upstreamCode: 'ECONNREFUSED' },
    { configRef: 'nowhere' },
  ),
  read(
    'a redirect',
    { path: entity, status: 302, headers: { location: 'http://127.0.0.1:1/' } },
    { upstreamStatus: 302 },
  ),
  read('an invalid secret', undefined, {}, { configRef: 'unfit' }),

  stream('an invalid argument', 'xadd', { entry: {} }, { faults: faultsAt('/entry') }),
  stream('a `configRef` without a secret, in a stream operation', 'xadd', { ...add, configRef: 'absent' }),
  stream("the secret's `access` does not allow the stream operation", 'xadd', {
    ...add,
    configRef: 'read-only',
  }),
  stream('an entry id that Redis refuses', 'xadd', { ...add, id: '0-0' }),
  stream('WRONGTYPE', 'xadd', { ...add, key: 'text' }),
  stream('NOGROUP', 'xreadgroup', {
    key: undefined,
    group: 'absent',
    consumer: 'c',
    streamWatermarks: [{ key: 'stream', id: '>' }],
  }),
  stream('NOGROUP', 'xinfo-groups', { key: 'absent' }),
  stream('BUSYGROUP', 'xgroup-create', { group: 'group', mkstream: false }),
  stream('WRONGPASS', 'xadd', { ...add, configRef: 'stranger' }, { upstreamCode: 'WRONGPASS' }),
  stream('Redis is not in a state', 'xadd', { ...add, configRef: 'replica' }, { upstreamCode: 'READONLY' }),
  stream('a response over 6 MB, of a stream operation', 'xrange', { key: 'large', start: '-', end: '+' }),
  stream('Redis is out of reach', 'xadd', { ...add, configRef: 'no-redis' }, { upstreamCode: 'ECONNREFUSED' }),
  {
    row: 'a shard of a batch is out of reach',
    operation: 'mdm-source-enqueue-batch',
    input: {
      configRef: 'no-redis',
      businessEntity: 'c360.person',
      sourceSystem: 'crm',
      records: ['p-1', 'p-2'].map((sourcePKey) => ({ sourcePKey, record: {} })),
    },
    expected: { retryable: true, faults: faultsAt('/records/0', '/records/1') },
  },
  stream('Redis does not respond in time', 'xadd', { ...add, configRef: 'silent' }),

  stream('a reply of an unknown form', 'xinfo-groups', { configRef: 'nonsense' }),
];

function faultsAt(...pointers: string[]): object[] {
  return pointers.map((pointer) => ({ pointer }));
}
