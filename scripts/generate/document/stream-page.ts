import { registry } from '#functions/registry.ts';
import { BANNER, showCall, type Post, type Step } from './call.ts';

const KEY = 'orders';
const [FIRST, SECOND, THIRD] = ['1526919030474-0', '1526919030474-1', '1526919035000-0'];
const member = { group: 'billing', consumer: 'worker-1' };
const taker = { key: KEY, group: 'billing', consumer: 'worker-2' };

/** Calls on one stream, from its creation to its end. Each sees the effects of the earlier ones. */
const CALLS: readonly Step[] = [
  ['xgroup-create', 'Create the group, and the stream with it.', { key: KEY, group: 'billing', mkstream: true }],
  ['xgroup-create', 'The group already exists.', { key: KEY, group: 'billing', mkstream: true }],
  ['xadd', 'Redis generates the id.', { key: 'invoices', entry: { invoice: '77' } }],
  ['xadd', 'You may give an id.', { key: KEY, id: FIRST, entry: { order: '1001', status: 'paid' } }],
  ['xadd', 'Redis may generate the sequence only.', { key: KEY, id: '1526919030474-*', entry: { order: '1002' } }],
  [
    'xadd',
    'Remove old entries beyond `maxLength`.',
    { key: KEY, id: THIRD, evictionOption: { maxLength: 1000 }, entry: { order: '1003' } },
  ],
  [
    'xadd',
    'The stream does not exist, so nothing is added.',
    { key: 'returns', noMkStream: true, entry: { order: '1001' } },
  ],
  ['xadd', 'Ids must increase.', { key: KEY, id: FIRST, entry: { order: '1004' } }],
  ['xadd', 'An error names all faults of the input at once.', { id: 'now', entry: {}, ttl: 60 }],
  ['xrange', 'The whole stream, at most two entries.', { key: KEY, start: '-', end: '+', count: 2 }],
  ['xrange', 'The entries after an entry.', { key: KEY, start: `(${SECOND}`, end: '+' }],
  ['xread', 'From the beginning.', { count: 1, streamWatermarks: [{ key: KEY, id: '0' }] }],
  ['xread', 'Wait 100 ms for new entries. None comes.', { block: 100, streamWatermarks: [{ key: KEY, id: '$' }] }],
  [
    'xreadgroup',
    'Entries that the group has not received yet.',
    { ...member, streamWatermarks: [{ key: KEY, id: '>' }] },
  ],
  ['xack', 'Two of the three entries were processed.', { key: KEY, group: 'billing', ids: [FIRST, SECOND] }],
  ['xinfo-groups', 'One entry is pending.', { key: KEY }],
  ['xdel', 'You can delete a pending entry.', { key: KEY, ids: [THIRD] }],
  [
    'xreadgroup',
    'The pending entries of this consumer. The body of the deleted one is null.',
    { ...member, streamWatermarks: [{ key: KEY, id: '0' }] },
  ],
  ['xreadgroup', 'The group must exist.', { ...member, group: 'audit', streamWatermarks: [{ key: KEY, id: '>' }] }],
  ['xlen', 'Two entries are left.', { key: KEY }],
  ['xrevrange', 'The newest entry.', { key: KEY, count: 1 }],
  [
    'xadd-batch',
    'Redis adds all entries or none.',
    { key: 'invoices', entries: [{ invoice: '78' }, { invoice: '79' }] },
  ],
  [
    'xadd',
    'Pairs keep a field that occurs twice.',
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
  ['xrange', 'An object would lose one of the two, so the read is refused.', { key: 'tags', start: '-', end: '+' }],
  ['xrange', 'Pairs keep both.', { key: 'tags', start: '-', end: '+', format: 'pairs' }],
  ['xpending', 'One entry is pending.', { key: KEY, group: 'billing' }],
  ['xgroup-createconsumer', 'Create a second consumer.', { key: KEY, group: 'billing', consumer: 'worker-2' }],
  ['xgroup-setid', 'Set the group back to the beginning.', { key: KEY, group: 'billing', lastEntryId: '0' }],
  ['xreadgroup', 'It receives the entries again.', { ...member, count: 1, streamWatermarks: [{ key: KEY, id: '>' }] }],
  ['xclaim', 'The second consumer claims the entry.', { ...taker, minIdleMs: 0, ids: [FIRST] }],
  [
    'xautoclaim',
    'It also claims all others that have been pending for long. The deleted entry is no longer pending.',
    { ...taker, minIdleMs: 0 },
  ],
  ['xinfo-stream', 'A description of the stream.', { key: 'tags', format: 'pairs' }],
  ['xinfo-consumers', 'The consumers of the group.', { key: KEY, group: 'billing' }],
  [
    'xgroup-delconsumer',
    "The consumer's pending entries are lost with it.",
    { key: KEY, group: 'billing', consumer: 'worker-2' },
  ],
  ['xackdel', 'This server is older than Redis 8.2.', { key: KEY, group: 'billing', ids: [FIRST] }],
  ['xdelex', 'This server is older than Redis 8.2.', { key: KEY, ids: [FIRST] }],
  ['xtrim', 'Keep one entry.', { key: KEY, evictionOption: { maxLength: 1 } }],
  ['xgroup-destroy', 'Destroy the group with its pending entries list.', { key: KEY, group: 'billing' }],
  ['xgroup-destroy', 'The group no longer exists.', { key: KEY, group: 'billing' }],
];

/**
 * Makes docs/stream-commands.md: calls each operation on an empty Redis and records the responses.
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

These calls over HTTP follow one another on one stream, each with its response. A direct invocation takes the same
parameters and returns the same output. [Redis](redis.md) explains connections and faults; \`/docs\` lists each
parameter.`;

const title = (operation: string) => `## ${operation.replace('-', ' ').toUpperCase()}`;

function introduce(operation: string): string {
  const { summary, description = '' } = registry.find(({ name }) => name === `stream-${operation}`)!;
  return `${title(operation)}\n\n${summary}. ${description}`;
}

/** Replaces times, and ids from Redis' clock, which may turn in the middle of a batch. */
function steady(text: string): string {
  let sequence = 0;
  return text
    .replace(/\b(?!1526)1\d{12}-\d+/g, () => `1526919036000-${sequence++}`)
    .replace(/"(idle|idleMs|inactive)":\d+/g, '"$1":5');
}
