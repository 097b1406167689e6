import { readFile } from 'node:fs/promises';
import type { Operation } from '../../lib/contract/operation.ts';
import type { GeneratedFile } from './generated-file.ts';

const TABLE = /(<!-- operations: [^>]* -->\n)[\s\S]*(<!-- \/operations -->)/;

/** The README with its table of operations made anew. */
export async function readmeFile(registry: readonly Operation[]): Promise<GeneratedFile> {
  const path = 'README.md';
  const readme = await readFile(path, 'utf8');
  if (!TABLE.test(readme)) throw new Error(`${path} has no place for the table of operations`);
  const rows = registry.map(({ name, summary, deploy, route }) => {
    const way = deploy.http ? `\`POST ${route}\`` : 'schedule, invoke';
    return `| \`${name}\` | ${way} | ${summary} |`;
  });
  const table = ['', '| function | way in | what it does |', '|---|---|---|', ...rows, '', ''].join('\n');
  return { path, contents: readme.replace(TABLE, (_, begin: string, end: string) => `${begin}${table}${end}`) };
}
