import { readFile } from 'node:fs/promises';
import { PARAMETERS } from '../deploy/parameters.ts';
import type { GeneratedFile } from './generated-file.ts';

const TABLE = /(<!-- parameters: [^>]* -->\n)[\s\S]*(<!-- \/parameters -->)/;

/** The deployment guide with its table of parameters made anew. */
export async function deployGuideFile(): Promise<GeneratedFile> {
  const path = 'docs/deploy.md';
  const guide = await readFile(path, 'utf8');
  if (!TABLE.test(guide)) throw new Error(`${path} has no place for the table of parameters`);
  const rows = Object.entries(PARAMETERS).map(([name, parameter]) => {
    const fallback = 'default' in parameter ? `\`${parameter.default}\`` : '–';
    return `| \`${name}\` | ${fallback} | ${parameter.description} | ${parameter.allowed} |`;
  });
  const table = ['', '| parameter | default | | allowed |', '|---|---|---|---|', ...rows, '', ''].join('\n');
  return { path, contents: guide.replace(TABLE, (_, begin: string, end: string) => `${begin}${table}${end}`) };
}
