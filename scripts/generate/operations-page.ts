import { GROUP_NAMES, GROUPS, type OperationGroup } from '#lib/contract/groups.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';
import { tableOf } from './tables.ts';

/** Pages that explain an operation of the consumer; every other operation has its page or section by its name. */
const GUIDES: Readonly<Record<string, string>> = {
  'stream-check': 'operating.md#check',
  'stream-consumer': 'consumer.md',
  'stream-entry-status': 'operating.md#where-is-my-record',
  'stream-pause': 'operating.md#pause-and-resume',
  'stream-redrive': 'guides/recover-dead-letters.md',
  'stream-status': 'operating.md#status',
};

/** The page that lists all operations. */
export function operationsPage(registry: readonly Operation[]): GeneratedFile {
  const contents = [
    `<!-- ${GENERATED} -->`,
    '# Operations',
    'An operation takes one JSON object and returns one output. Over HTTP, the parameters are the body of a ' +
      '`POST`. In a direct invocation, they are the payload. Every operation takes `configRef`, the connector ' +
      'configuration to use. Each page shows the parameters, and calls with their real responses.',
    ...GROUP_NAMES.flatMap((group) => partOf(group, registry)),
  ].join('\n\n');
  return { path: 'docs/operations.md', contents };
}

function partOf(group: OperationGroup, registry: readonly Operation[]): string[] {
  const rows = registry
    .filter((operation) => operation.group === group)
    .map(({ name, summary, deploy, route }) => {
      const way = deploy.http ? `\`POST ${route}\`` : 'schedule, invoke';
      return [`[\`${name}\`](${pageOf(name)})`, way, summary];
    });
  const title = `## ${group.charAt(0).toUpperCase()}${group.slice(1)}`;
  return [title, GROUPS[group], tableOf(['function', 'way in', 'what it does'], rows)];
}

function pageOf(name: string): string {
  const short = name.slice(name.indexOf('-') + 1);
  return GUIDES[name] ?? (name.startsWith('mdm-') ? `mdm/${short}.md` : `stream-commands.md#${short}`);
}
