import { expect, it } from '@jest/globals';
import { findMissing, type Files, type Listed } from '../../../../scripts/check/operations.ts';

const operations: Listed[] = [
  { name: 'mdm-merge', errors: ['MDM:CLIENT_ERROR'] },
  { name: 'stream-xinfo-groups', errors: ['STREAM:COMMAND'] },
  { name: 'stream-consumer', errors: ['STREAM:COMMAND'] },
];
const pages = {
  'docs/mdm/merge.md': '# merge\n\n## By example\n',
  'docs/stream-commands.md': '# By example\n\n## XINFO GROUPS\n',
  'docs/consumer.md': 'The function `stream-consumer`.',
  'docs/errors.md': '| refused | `MDM:CLIENT_ERROR` |\n| refused | `STREAM:COMMAND` |',
  'docs/redis.md': '```\nACL SETUSER streams on +ping +xinfo|groups\n```',
};
const sources = ['mdm/merge', 'stream/xinfo-groups', 'stream/consumer'].flatMap((folder) => [
  `functions/${folder}/contract.ts`,
  `functions/${folder}/handler.ts`,
]);

function missing(changed: Record<string, string> = {}, files: Partial<Files> = {}, listed = operations): string[] {
  return findMissing(listed, { sources, pages: new Map(Object.entries({ ...pages, ...changed })), ...files });
}

it('nothing is missing where every step was done', () => {
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
    'docs/mdm/merge.md has no call of mdm-merge: add one to scripts/generate/document/mdm-calls.ts, then npm run document',
    missing({ 'docs/mdm/merge.md': '# merge\n' }),
  ],
  [
    'a stream command without a section',
    'docs/stream-commands.md has no call of stream-xinfo-groups: add one to scripts/generate/document, then npm run document',
    missing({ 'docs/stream-commands.md': '## XINFO GROUPS AND MORE\n' }),
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
    'a command that the documented user may not run',
    'docs/redis.md: the user "streams" lacks +xinfo|groups for stream-xinfo-groups',
    missing({ 'docs/redis.md': 'ACL SETUSER streams on +ping +xinfo|stream' }),
  ],
])('%s is named', (_, line, found) => {
  expect(found).toEqual([line]);
});

it('a batch of a command needs the command and its transaction', () => {
  const batch = [{ name: 'stream-xadd-batch', errors: [] }];
  const page = { 'docs/stream-commands.md': '\n## XADD BATCH\n', 'docs/redis.md': 'ACL SETUSER streams on +xadd' };

  expect(missing(page, { sources: [] }, batch).slice(2)).toEqual([
    'docs/redis.md: the user "streams" lacks +multi for stream-xadd-batch',
    'docs/redis.md: the user "streams" lacks +exec for stream-xadd-batch',
  ]);
});
