import { expect, it } from '@jest/globals';
import { findMissing, type Files, type Listed } from '#scripts/check/operations.ts';

const operations: Listed[] = [
  {
    name: 'mdm-merge',
    group: 'records',
    errors: ['MDM:CLIENT_ERROR'],
    knownFrom: { path: { from: 'nobody', says: 'The path.' } },
  },
  {
    name: 'stream-xinfo-groups',
    group: 'streams',
    errors: ['STREAM:COMMAND'],
    rights: [{ needs: ['xinfo|groups'] }],
  },
  { name: 'stream-consumer', group: 'consumer', errors: ['STREAM:COMMAND'], rights: [{ needs: ['xack'] }] },
];
const GENERATED = '<!-- settings: made by npm run generate -->';
const pages = {
  'docs/mdm/merge.md': '# merge\n\n## By example\n',
  'docs/stream-commands.md': '# By example\n\n## XINFO GROUPS\n',
  'docs/consumer.md': 'The function `stream-consumer`.',
  'docs/errors.md': '| refused | `MDM:CLIENT_ERROR` |\n| refused | `STREAM:COMMAND` |',
};
const sourcesOf = (folder: string) => [`functions/${folder}/contract.ts`, `functions/${folder}/handler.ts`];
const sources = ['mdm/merge', 'stream/xinfo-groups', 'consumer/consumer'].flatMap(sourcesOf);

function missing(
  changed: Record<string, string> = {},
  files: Partial<Files> = {},
  listed = operations,
  terms?: string[],
) {
  return findMissing(listed, { sources, pages: new Map(Object.entries({ ...pages, ...changed })), ...files }, terms);
}

it('a complete operation has nothing missing', () => {
  expect(missing()).toEqual([]);
});

it.each<[string, string, string[]]>([
  [
    'a contract that is not in the registry',
    'functions/registry.ts lacks functions/mdm/unmerge/contract.ts',
    missing({}, { sources: [...sources, 'functions/mdm/unmerge/contract.ts'] }),
  ],
  [
    'an operation without a handler',
    'mdm-merge has no functions/mdm/merge/handler.ts',
    missing({}, { sources: sources.filter((path) => path !== 'functions/mdm/merge/handler.ts') }),
  ],
  [
    'an MDM operation without an example call on its page',
    'docs/mdm/merge.md has no call of mdm-merge: add one to scripts/generate/document/mdm-calls.ts, then npm ' +
      'run document',
    missing({ 'docs/mdm/merge.md': '# merge\n' }),
  ],
  [
    'an MDM operation that does not say what it relies on',
    'functions/mdm/merge/contract.ts does not say what is known of the API from whom (knownFrom)',
    missing({}, {}, [{ ...operations[0]!, knownFrom: {} }, ...operations.slice(1)]),
  ],
  [
    'a stream command without a section',
    'docs/stream-commands.md has no call of stream-xinfo-groups: add one to scripts/generate/document, then npm ' +
      'run document',
    missing({ 'docs/stream-commands.md': '## XINFO GROUPS AND MORE\n' }),
  ],
  [
    'a stream command whose name has no X',
    'docs/stream-commands.md has no call of stream-memory-usage: add one to scripts/generate/document, then npm ' +
      'run document',
    missing({}, { sources: [...sources, ...sourcesOf('stream/memory-usage')] }, [
      ...operations,
      { ...operations[1]!, name: 'stream-memory-usage' },
    ]),
  ],
  [
    'an operation of the consumer that no guide mentions',
    'No guide in docs/ mentions `stream-consumer`',
    missing({ 'docs/consumer.md': 'stream-consumer' }),
  ],
  [
    'an error type without a row',
    'docs/errors.md has no row for MDM:CLIENT_ERROR of mdm-merge',
    missing({ 'docs/errors.md': '| refused | `STREAM:COMMAND` |' }),
  ],
  [
    'a stream command without rights',
    'functions/stream/xinfo-groups/contract.ts names no rights of the Redis user',
    missing({}, {}, operations.with(1, { name: 'stream-xinfo-groups', group: 'streams', errors: [] })),
  ],
  [
    'a setting that no guide explains',
    'No guide in docs/ explains `batchSize`',
    missing({}, {}, operations, ['batchSize']),
  ],
  [
    'a setting that only a generated table names',
    'No guide in docs/ explains `batchSize`',
    missing({ 'docs/limits.md': `${GENERATED}\n\n| \`batchSize\` | 100 |\n\n<!-- /settings -->` }, {}, operations, [
      'batchSize',
    ]),
  ],
])('the check names %s', (_, line, found) => {
  expect(found).toEqual([line]);
});

it.each(['`backoffMs`', '**maxDeliveries, backoffMs**: how long', '{"backoffMs": 1}'])(
  '%s explains a setting',
  (text) => {
    expect(missing({ 'docs/guides/retries.md': text }, {}, operations, ['backoffMs'])).toEqual([]);
  },
);
