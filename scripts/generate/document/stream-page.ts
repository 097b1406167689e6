import { registry } from '../../../functions/registry.ts';
import { BANNER, showCall, type Post } from './call.ts';

type Step = [operation: string, says: string, parameters: object];

const KEY = 'orders';
const [FIRST, SECOND, THIRD] = ['1526919030474-0', '1526919030474-1', '1526919035000-0'];
const member = { group: 'billing', consumer: 'worker-1' };
const taker = { key: KEY, group: 'billing', consumer: 'worker-2' };

/** Calls on one stream, from its creation to its end; each finds what the earlier ones left. */
const CALLS: readonly Step[] = [
  ['xgroup-create', 'Creates the group, and the stream with it.', { key: KEY, group: 'billing', mkstream: true }],
  ['xgroup-create', 'The group exists already.', { key: KEY, group: 'billing', mkstream: true }],
  ['xadd', 'Redis generates the id.', { key: 'invoices', entry: { invoice: '77' } }],
  ['xadd', 'An id may be given.', { key: KEY, id: FIRST, entry: { order: '1001', status: 'paid' } }],
  ['xadd', 'Its sequence may be left to Redis.', { key: KEY, id: '1526919030474-*', entry: { order: '1002' } }],
  [
    'xadd',
    'Old entries are removed when there are more than `maxLength`.',
    { key: KEY, id: THIRD, evictionOption: { maxLength: 1000 }, entry: { order: '1003' } },
  ],
  [
    'xadd',
    'The stream does not exist, so nothing is added.',
    { key: 'returns', noMkStream: true, entry: { order: '1001' } },
  ],
  ['xadd', 'Ids must increase.', { key: KEY, id: FIRST, entry: { order: '1004' } }],
  ['xadd', 'All faults of an input are reported at once.', { id: 'now', entry: {}, ttl: 60 }],
  ['xrange', 'The whole stream, two entries at most.', { key: KEY, start: '-', end: '+', count: 2 }],
  ['xrange', 'What came after an entry.', { key: KEY, start: `(${SECOND}`, end: '+' }],
  ['xread', 'From the beginning.', { count: 1, streamWatermarks: [{ key: KEY, id: '0' }] }],
  ['xread', 'Waits 100 ms for what is new; nothing came.', { block: 100, streamWatermarks: [{ key: KEY, id: '$' }] }],
  ['xreadgroup', 'Entries not yet delivered to the group.', { ...member, streamWatermarks: [{ key: KEY, id: '>' }] }],
  ['xack', 'Two of the three entries were processed.', { key: KEY, group: 'billing', ids: [FIRST, SECOND] }],
  ['xinfo-groups', 'One is pending.', { key: KEY }],
  ['xdel', 'A pending entry can be deleted.', { key: KEY, ids: [THIRD] }],
  ['xreadgroup', 'What is pending for this consumer.', { ...member, streamWatermarks: [{ key: KEY, id: '0' }] }],
  ['xreadgroup', 'The group must exist.', { ...member, group: 'audit', streamWatermarks: [{ key: KEY, id: '>' }] }],
  ['xlen', 'Two entries are left.', { key: KEY }],
  ['xrevrange', 'The newest entry.', { key: KEY, count: 1 }],
  ['xadd-batch', 'All or none.', { key: 'invoices', entries: [{ invoice: '78' }, { invoice: '79' }] }],
  [
    'xadd',
    'Pairs keep a field that comes twice.',
    {
      key: 'tags',
      id: '1-1',
      format: 'pairs',
      entry: [
        ['tag', 'red'],
        ['tag', 'blue'],
      ],
    },
  ],
  ['xrange', 'An object would lose one of them.', { key: 'tags', start: '-', end: '+' }],
  ['xrange', 'With pairs none is lost.', { key: 'tags', start: '-', end: '+', format: 'pairs' }],
  ['xpending', 'One entry is pending.', { key: KEY, group: 'billing' }],
  ['xgroup-createconsumer', 'A second consumer.', { key: KEY, group: 'billing', consumer: 'worker-2' }],
  ['xgroup-setid', 'The group sees all entries again.', { key: KEY, group: 'billing', lastEntryId: '0' }],
  ['xreadgroup', 'They are delivered again.', { ...member, count: 1, streamWatermarks: [{ key: KEY, id: '>' }] }],
  ['xclaim', 'The second consumer takes it over.', { ...taker, minIdleMs: 0, ids: [FIRST] }],
  [
    'xautoclaim',
    'And whatever else has been pending for long. The deleted entry is pending no more.',
    { ...taker, minIdleMs: 0 },
  ],
  ['xinfo-stream', 'What Redis knows of the stream.', { key: 'tags', format: 'pairs' }],
  ['xinfo-consumers', 'Each consumer.', { key: KEY, group: 'billing' }],
  ['xgroup-delconsumer', 'Its pending entries go with it.', { key: KEY, group: 'billing', consumer: 'worker-2' }],
  ['xackdel', 'Redis 8.2 and newer have it.', { key: KEY, group: 'billing', ids: [FIRST] }],
  ['xdelex', 'Redis 8.2 and newer have it.', { key: KEY, ids: [FIRST] }],
  ['xtrim', 'One entry is kept.', { key: KEY, evictionOption: { maxLength: 1 } }],
  ['xgroup-destroy', 'The group is removed with its pending entries list.', { key: KEY, group: 'billing' }],
  ['xgroup-destroy', 'The group does not exist any more.', { key: KEY, group: 'billing' }],
];

/**
 * Makes docs/stream-commands.md by calling each operation on an empty Redis, and recording its responses.
 *
 * @param post calls `POST /stream/<operation>`
 */
export async function renderStreamPage(post: Post): Promise<string> {
  const shown: string[] = [HEAD];
  const seen = new Set<string>();
  let last = '';
  for (const [operation, says, parameters] of CALLS) {
    if (operation !== last) shown.push(seen.has(operation) ? `${title(operation)}, again` : introduce(operation));
    seen.add((last = operation));
    const route = `/stream/${operation}`;
    shown.push(says, showCall(route, parameters, await post(route, parameters), steady));
  }
  return shown.join('\n\n');
}

const HEAD = `${BANNER}

# The stream commands by example

Calls over HTTP with their responses, one after the other, on one stream. A direct invocation takes the same parameters
and gives the same output. See [Redis](redis.md) for connections and faults, \`/docs\` for each parameter.`;

const title = (operation: string) => `## ${operation.replace('-', ' ').toUpperCase()}`;

function introduce(operation: string): string {
  const { summary, description = '' } = registry.find(({ name }) => name === `stream-${operation}`)!;
  return `${title(operation)}\n\n${summary}. ${description}`;
}

/** Replaces ids made from Redis' clock, and times. */
const steady = (text: string) =>
  text.replace(/\b(?!1526)1\d{12}-(\d+)/g, '1526919036000-$1').replace(/"(idle|idleMs|inactive)":\d+/g, '"$1":5');
