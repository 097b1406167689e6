import { readFile } from 'node:fs/promises';
import type { GeneratedFile } from './generated-file.ts';

/** A table in Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** A page with its part between `<!-- name: … -->` and `<!-- /name -->` made anew. */
export async function pageWith(path: string, name: string, part: string): Promise<GeneratedFile> {
  const page = await readFile(path, 'utf8');
  const place = new RegExp(`(<!-- ${name}: [^>]* -->\\n)[\\s\\S]*(<!-- /${name} -->)`);
  if (!place.test(page)) throw new Error(`${path} has no place for its part ${name}`);
  return { path, contents: page.replace(place, (_, begin: string, end: string) => `${begin}\n${part}\n\n${end}`) };
}
