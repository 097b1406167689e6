import { expect, it } from '@jest/globals';
import { startFixture } from '#test/support/stream/stream-fixture.ts';
import { use } from '#test/support/jest/use.ts';

/* Input that does not fit: every fault is named at its place, by us before anything is sent, or by Redis. */

const fixture = await use(startFixture());

const ID = '/id must be *, <milliseconds>-<sequence> or <milliseconds>-*';
const RANGE_END = 'must be -, +, an entry id, or ( and an entry id';
const COUNT = '/count must be an integer, beyond 2^53 as text';
const BLOCK = '/block must be an integer of at least 0, beyond 2^53 as text';
const BOTH = '/evictionOption has both maxLength and id: give one of them';
const TOO_LARGE = '18446744073709551616';
const HALVES = 'must be an entry id whose halves have at most 64 bits';
const EXACT = '/evictionOption must have exactTrimming false with limit';

const read = (...streamWatermarks: object[]) => ({ key: undefined, streamWatermarks });
const readGroup = (more: object) => ({ ...read({ key: 's', id: '>' }), group: 'g', consumer: 'c', ...more });

const ROWS: [operation: string, parameters: object, ...faults: string[]][] = [
  ...['MAXLEN', '', '-', '+', '$', '>', '5-5-5', 'a-1', ' 5', '5 ', '-5', '1\n2'].map(
    (id): [string, object, string] => ['xadd', { id, entry: { a: '1' } }, ID],
  ),
  ['xadd', { entry: {} }, '/entry must have at least 1 field'],
  ['xadd', { entry: { a: 1 } }, '/entry/a must be a string'],
  ['xadd', { entry: { a: '\ud800' } }, '/entry/a must be well-formed Unicode'],
  ['xadd', { entry: { '\udc00': 'a' } }, 'has a name that is not well-formed Unicode'],
  ['xadd', { entry: [] }, '/entry must be an object'],
  [
    'xadd',
    { entry: [['a', 2], ['b']], format: 'pairs' },
    '/entry/0/1 must be a string',
    '/entry/1 must have at least 2',
  ],
  ['xadd', { entry: [[3, 'c', 'd']], format: 'pairs' }, '/entry/0 must have at most 2 items'],
  ['xadd', { entry: [['!', 'YQ==']], format: 'pairs', encoding: 'base64' }, '/entry/0/0 must be base64'],
  [
    'xadd',
    { entry: { 'YQ==': '!', '?': 'YQ==' }, encoding: 'base64' },
    '/entry/YQ== must be',
    '/entry/? must be base64',
  ],
  [
    'xadd',
    { key: undefined, id: 'x', noMkStream: 'no', entry: {}, ttl: 5 },
    '5 faults: ',
    '/key',
    '/id',
    '/noMk',
    '/ttl',
  ],
  ...(['xadd', 'xtrim'] as const).flatMap((operation) => {
    const rows: [evictionOption: unknown, fault: string][] = [
      [null, '/evictionOption must be an object'],
      [{}, '/evictionOption must have either maxLength or id'],
      [{ maxLength: 1, id: '1' }, BOTH],
      [{ maxLength: 1, limit: 5 }, EXACT],
      [{ maxLength: 1, exactTrimming: true, limit: 0 }, EXACT],
      [{ maxLength: 1, exactTrimming: false, limit: -1 }, '/evictionOption/limit must be an integer of at least 0'],
      [{ maxLength: -1 }, '/maxLength must be an integer of at least 0'],
      [{ maxLength: 2 ** 53 }, '/maxLength must be an integer of at least 0, beyond 2^53 as text'],
      [{ id: '*' }, '/id must be an entry id'],
      [{ id: TOO_LARGE }, `/evictionOption/id ${HALVES}`],
      [{ maxLength: 1, approximate: true }, '/approximate is not known'],
    ];
    const entry = operation === 'xadd' ? { entry: { a: '1' } } : {};
    return rows.map(([evictionOption, fault]): [string, object, string] => [
      operation,
      { ...entry, evictionOption },
      fault,
    ]);
  }),
  ['xtrim', {}, '/evictionOption is required'],
  ['xadd-batch', { entries: [] }, '/entries must have at least 1'],
  ['xadd-batch', { entries: [{ a: '1' }, {}] }, '/entries/1 must have at least 1 field'],
  ['xadd-batch', { entries: [{ a: '1' }, [['a', '1']]] }, '/entries/1 must be an object'],
  ['xadd-batch', { entries: [{ a: '1' }], format: 'pairs' }, '/entries/0 must be an array'],
  ['xadd-batch', { entries: [{ a: '1' }], id: '5' }, '/id is not known'],
  ['xack', { group: 'g', ids: [] }, '/ids must'],
  ['xack', { group: 'g', ids: ['*'] }, '/ids/0 must be an entry id, <milliseconds>-<sequence>'],
  ['xack', { group: 'g', ids: '1-0' }, '/ids must be an array'],
  ['xack', { group: 1 }, '/group must be a string', '/ids is required'],
  ['xdel', { ids: ['1-0', '-'] }, '/ids/1 must be an entry id, <milliseconds>-<sequence>'],
  ['xgroup-create', { group: 'g' }, '/mkstream is required'],
  ['xgroup-create', { group: '', mkstream: true }, '/group must have at least 1 character'],
  ['xgroup-create', { group: 'g', mkstream: true, lastEntryId: '>' }, '/lastEntryId must be $ or an entry id'],
  ['xgroup-create', { group: 'g', mkstream: true, entriesRead: -2 }, '/entriesRead must be an integer of at least -1'],
  [
    'xgroup-create',
    { group: 'g', mkstream: true, entriesRead: '9999999999999999999' },
    'not an integer or out of range',
  ],
  ['xgroup-create', { group: 'g', mkstream: true, lastEntryId: TOO_LARGE }, `/lastEntryId ${HALVES}`],
  ['xadd', { id: `${TOO_LARGE}-*`, entry: { a: '1' } }, `/id ${HALVES}`],
  ['xack', { group: 'g', ids: ['1-0', `1-${TOO_LARGE}`] }, `/ids/1 ${HALVES}`],
  ['xclaim', { group: 'g', consumer: 'c', minIdleMs: 0, ids: [TOO_LARGE] }, `/ids/0 ${HALVES}`],
  ['xautoclaim', { group: 'g', consumer: 'c', minIdleMs: 0, start: TOO_LARGE }, `/start ${HALVES}`],
  ['xpending', { group: 'g', start: `(${TOO_LARGE}`, end: '+', count: 1 }, `/start ${HALVES}`],
  ['xrange', { start: TOO_LARGE, end: `(99999999999999999999-0` }, `/start ${HALVES}`, `/end ${HALVES}`],
  ['xrevrange', { start: `0-${TOO_LARGE}`, end: '+' }, `/start ${HALVES}`],
  ['xread', read({ key: 's', id: `000${TOO_LARGE}` }), `/streamWatermarks/0/id ${HALVES}`],
  ['xgroup-destroy', { group: 'g', mkstream: true }, '/mkstream is not known'],
  ['xinfo-groups', { key: 5 }, '/key must be a string'],
  ['xinfo-groups', { key: '\udfff' }, '/key must be well-formed Unicode'],
  ['xrange', { start: 'COUNT', end: '+' }, `/start ${RANGE_END}`],
  ['xrange', { start: '((1', end: '' }, `/start ${RANGE_END}`, `/end ${RANGE_END}`],
  ['xrange', { start: '-', end: '1-2-3' }, `/end ${RANGE_END}`],
  ...[1.5, 2 ** 53, '', '01', '1e3', null, true].map((count): [string, object, string] => [
    'xrange',
    { start: '-', end: '+', count },
    COUNT,
  ]),
  ...[-1, 0.5, 'x'].map((block): [string, object, string] => [
    'xread',
    { ...read({ key: 's', id: '0' }), block },
    BLOCK,
  ]),
  ['xread', read(), '/streamWatermarks'],
  ['xread', read({ key: 's' }), '/streamWatermarks/0/id'],
  ['xread', read({ key: 's', id: '>' }), '/streamWatermarks/0/id must be $, + or an entry id'],
  ['xread', read({ key: 's', id: '0', count: 1 }), '/streamWatermarks/0/count is not known'],
  ['xread', read({ key: 's', id: '0' }, { key: 's', id: '1' }), '/streamWatermarks/1/key is there already'],
  ['xreadgroup', readGroup({ consumer: '' }), '/consumer must have at least 1 character'],
  ['xreadgroup', readGroup(read({ key: 's', id: '$' })), '/streamWatermarks/0/id must be > or an entry id'],
  ['xreadgroup', readGroup({ noack: 'true' }), '/noack must be true or false'],
];

it.each(ROWS)('%s refuses %j', async (operation, parameters, ...faults) => {
  const { error } = await fixture.call('direct invocation', operation, { key: fixture.key(), ...parameters });

  expect(error?.type).toBe('STREAM:ARGUMENT');
  for (const fault of faults) expect(error?.message).toContain(fault);
});
