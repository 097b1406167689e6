import { readFile } from 'node:fs/promises';
import { GROUP_NAMES, GROUPS, type Group } from '../../lib/contract/groups.ts';
import type { Operation } from '../../lib/contract/operation.ts';
import type { GeneratedFile } from './generated-file.ts';

const TABLE = /(<!-- operations: [^>]* -->\n)[\s\S]*(<!-- \/operations -->)/;

/** The README with its tables of operations made anew. */
export async function readmeFile(registry: readonly Operation[]): Promise<GeneratedFile> {
  const path = 'README.md';
  const readme = await readFile(path, 'utf8');
  if (!TABLE.test(readme)) throw new Error(`${path} has no place for the table of operations`);
  const tables = GROUP_NAMES.flatMap((group) => ['', ...tableOf(group, registry)]);
  const contents = readme.replace(
    TABLE,
    (_, begin: string, end: string) => `${begin}${[...tables, '', ''].join('\n')}${end}`,
  );
  return { path, contents };
}

function tableOf(group: Group, registry: readonly Operation[]): string[] {
  const rows = registry
    .filter((operation) => operation.group === group)
    .map(({ name, summary, deploy, route }) => {
      const way = deploy.http ? `\`POST ${route}\`` : 'schedule, invoke';
      return `| \`${name}\` | ${way} | ${summary} |`;
    });
  const title = `**${group.charAt(0).toUpperCase()}${group.slice(1)}.** ${GROUPS[group]}`;
  return [title, '', '| function | way in | what it does |', '|---|---|---|', ...rows];
}
