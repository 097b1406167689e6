import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { registry } from '#functions/registry.ts';
import { WAYS } from '../../support/stream/call-stream.ts';
import { startFixture, type Fixture } from '../../support/stream/stream-fixture.ts';

/*
 * The error table of the stream connector's specification, row by row: command, error type, and each condition as a
 * call that meets it. `{stream}` is a stream with a group `g`, `{text}` a string, `{absent}` nothing.
 */

type Condition = [condition: string, status: number, parameters: object];

const eviction = { evictionOption: { maxLength: 1 } };
const read = (key: string, id = '0') => ({ streamWatermarks: [{ key, id }] });
const member = (key: string, more: object = {}) => ({ group: 'g', consumer: 'c', ...read(key, '>'), ...more });
/** A user that may do nothing: what every command can fail with. */
const DENIED = { configRef: 'denied' };

const ROWS: [command: string, type: string, ...conditions: Condition[]][] = [
  [
    'xadd',
    'STREAM:ARGUMENT',
    ['entry map is empty', 400, { key: '{stream}', entry: {} }],
    ['invalid id', 400, { key: '{stream}', id: 'x', entry: { a: '1' } }],
    ['invalid id, says Redis', 400, { key: '{stream}', id: '0-0', entry: { a: '1' } }],
  ],
  ['xadd', 'STREAM:COMMAND', ['command failed', 502, { ...DENIED, key: '{stream}', entry: { a: '1' } }]],
  ['xadd', 'STREAM:WRONG_TYPE', ['key is not a stream', 409, { key: '{text}', entry: { a: '1' } }]],
  [
    'xrange',
    'STREAM:ARGUMENT',
    ['invalid start', 400, { key: '{stream}', start: 'x', end: '+' }],
    ['invalid end', 400, { key: '{stream}', start: '-', end: '99999999999999999999' }],
  ],
  ['xrange', 'STREAM:COMMAND', ['command failed', 502, { ...DENIED, key: '{stream}', start: '-', end: '+' }]],
  ['xrange', 'STREAM:WRONG_TYPE', ['key is not a stream', 409, { key: '{text}', start: '-', end: '+' }]],
  ['xread', 'STREAM:ARGUMENT', ['no watermarks', 400, { streamWatermarks: [] }], ['no watermarks at all', 400, {}]],
  ['xread', 'STREAM:COMMAND', ['command failed', 502, { ...DENIED, ...read('{stream}') }]],
  [
    'xread',
    'STREAM:WRONG_TYPE',
    [
      'one of the keys is not a stream',
      409,
      { streamWatermarks: [...read('{stream}').streamWatermarks, ...read('{text}').streamWatermarks] },
    ],
  ],
  [
    'xreadgroup',
    'STREAM:ARGUMENT',
    ['no watermarks', 400, member('{stream}', { streamWatermarks: [] })],
    ['group invalid', 400, member('{stream}', { group: '' })],
    ['consumer invalid', 400, member('{stream}', { consumer: '' })],
  ],
  [
    'xreadgroup',
    'STREAM:COMMAND',
    ['command failed', 502, member('{stream}', DENIED)],
    ['group does not exist', 404, member('{stream}', { group: 'other' })],
    ['stream does not exist', 404, member('{absent}')],
  ],
  ['xreadgroup', 'STREAM:WRONG_TYPE', ['one of the keys is not a stream', 409, member('{text}')]],
  ['xack', 'STREAM:ARGUMENT', ['no ids', 400, { key: '{stream}', group: 'g', ids: [] }]],
  ['xack', 'STREAM:COMMAND', ['command failed', 502, { ...DENIED, key: '{stream}', group: 'g', ids: ['1'] }]],
  ['xack', 'STREAM:WRONG_TYPE', ['key is not a stream', 409, { key: '{text}', group: 'g', ids: ['1'] }]],
  ['xdel', 'STREAM:ARGUMENT', ['no ids', 400, { key: '{stream}', ids: [] }]],
  ['xdel', 'STREAM:COMMAND', ['command failed', 502, { ...DENIED, key: '{stream}', ids: ['1'] }]],
  ['xdel', 'STREAM:WRONG_TYPE', ['key is not a stream', 409, { key: '{text}', ids: ['1'] }]],
  ['xtrim', 'STREAM:COMMAND', ['command failed', 502, { ...DENIED, key: '{stream}', ...eviction }]],
  ['xtrim', 'STREAM:WRONG_TYPE', ['key is not a stream', 409, { key: '{text}', ...eviction }]],
  [
    'xgroup-create',
    'STREAM:COMMAND',
    ['command failed', 502, { ...DENIED, key: '{stream}', group: 'new', mkstream: true }],
    ['group already exists', 409, { key: '{stream}', group: 'g', mkstream: true }],
    ['stream does not exist', 404, { key: '{absent}', group: 'g', mkstream: false }],
  ],
  ['xgroup-create', 'STREAM:WRONG_TYPE', ['key is not a stream', 409, { key: '{text}', group: 'g', mkstream: true }]],
  ['xgroup-destroy', 'STREAM:COMMAND', ['command failed', 502, { ...DENIED, key: '{stream}', group: 'g' }]],
  ['xgroup-destroy', 'STREAM:WRONG_TYPE', ['key is not a stream', 409, { key: '{text}', group: 'g' }]],
  [
    'xinfo-groups',
    'STREAM:COMMAND',
    ['command failed', 502, { ...DENIED, key: '{stream}' }],
    ['stream does not exist', 404, { key: '{absent}' }],
  ],
  ['xinfo-groups', 'STREAM:WRONG_TYPE', ['key is not a stream', 409, { key: '{text}' }]],
];

/** The commands beyond the table: parameters that a stream takes, and one that every input check refuses. */
const MORE: [command: string, parameters: object, bad: object][] = [
  ['xlen', {}, { key: 5 }],
  ['xrevrange', {}, { start: 'x' }],
  ['xpending', { group: 'g' }, { start: '-' }],
  ['xclaim', { group: 'g', consumer: 'c', minIdleMs: 0, ids: ['1'] }, { ids: [] }],
  ['xautoclaim', { group: 'g', consumer: 'c', minIdleMs: 0 }, { start: '>' }],
  ['xinfo-stream', {}, { format: 'list' }],
  ['xinfo-consumers', { group: 'g' }, { group: 1 }],
  ['xgroup-setid', { group: 'g', lastEntryId: '0' }, { lastEntryId: '>' }],
  ['xgroup-createconsumer', { group: 'g', consumer: 'c' }, { consumer: '' }],
  ['xgroup-delconsumer', { group: 'g', consumer: 'c' }, { consumer: 1 }],
  ['xadd-batch', { entries: [{ a: '1' }] }, { entries: [] }],
];
const GROUP_COMMANDS = [
  'xpending',
  'xclaim',
  'xautoclaim',
  'xinfo-consumers',
  'xgroup-setid',
  'xgroup-createconsumer',
  'xgroup-delconsumer',
];
const MORE_ROWS: typeof ROWS = MORE.flatMap(([command, parameters, bad]): typeof ROWS => [
  [command, 'STREAM:ARGUMENT', ['input does not fit', 400, { key: '{stream}', ...parameters, ...bad }]],
  [
    command,
    'STREAM:COMMAND',
    ['command failed', 502, { ...DENIED, key: '{stream}', ...parameters }],
    ...(GROUP_COMMANDS.includes(command)
      ? ([['group does not exist', 404, { key: '{stream}', ...parameters, group: 'other' }]] as Condition[])
      : []),
  ],
  [command, 'STREAM:WRONG_TYPE', ['key is not a stream', 409, { key: '{text}', ...parameters }]],
]);
/** These need Redis 8.2 or newer for more than their first row. */
const NEWER_ROWS: typeof ROWS = ['xdelex', 'xackdel'].map((command) => [
  command,
  'STREAM:ARGUMENT',
  ['no ids', 400, { key: '{stream}', ids: [], ...(command === 'xackdel' && { group: 'g' }) }],
]);

const USER = 'mdm-stream-test-denied';
const deniedUrl = (url: string) => Object.assign(new URL(url), { username: USER, password: 'x' }).href;

let fixture: Fixture;
let keys: Record<string, string>;

beforeAll(async () => {
  fixture = await startFixture({ secrets: (url) => ({ denied: { redis: { url: deniedUrl(url) } } }) });
  keys = { stream: fixture.key(), text: fixture.key(), absent: fixture.key() };
  await fixture.redis('ACL', 'SETUSER', USER, 'on', '>x', 'allkeys', '-@all');
  await fixture.redis('XGROUP', 'CREATE', keys.stream!, 'g', '0', 'MKSTREAM');
  await fixture.redis('XADD', keys.stream!, '5', 'a', '1');
  await fixture.redis('SET', keys.text!, 'x');
});
afterAll(async () => {
  await fixture.redis('ACL', 'DELUSER', USER);
  await fixture.stop();
});

const filled = (parameters: object) =>
  JSON.parse(
    JSON.stringify(parameters).replace(/\{(stream|text|absent)\}/g, (_, name: string) => keys[name]!),
  ) as object;

describe.each([...ROWS, ...MORE_ROWS, ...NEWER_ROWS])('stream-%s %s', (command, type, ...conditions) => {
  describe.each(WAYS)('by %s', (way) => {
    it.each(conditions)('a stream command fails as documented: %s', async (_condition, status, parameters) => {
      const outcome = await fixture.call(way, command, filled(parameters));

      expect(outcome.error?.type).toBe(type);
      expect(outcome.error?.message).toMatch(/\S/); // "the error description is available to the caller"
      expect(outcome.status).toBe(way === 'HTTP' ? status : undefined);
    });
  });
});

it('the contracts name the error types of the table', () => {
  const streams = registry.filter(({ name }) => name.startsWith('stream-x'));
  const named = streams.flatMap(({ name, errors }) => errors.map((type) => `${name.slice('stream-'.length)} ${type}`));

  const newer = NEWER_ROWS.flatMap(([command]) =>
    ['ARGUMENT', 'COMMAND', 'WRONG_TYPE'].map((type) => `${command} STREAM:${type}`),
  );
  const rows = [...ROWS, ...MORE_ROWS].map(([command, type]) => `${command} ${type}`);
  // the table names none of these, but input that does not fit is refused by every operation
  const refusing = ['xgroup-create', 'xgroup-destroy', 'xinfo-groups', 'xtrim'].map(
    (name) => `${name} STREAM:ARGUMENT`,
  );
  expect([...new Set(named)].sort()).toEqual([...new Set([...rows, ...newer, ...refusing])].sort());
});
