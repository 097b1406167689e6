import { readFile } from 'node:fs/promises';
import type { GeneratedFile } from './generated-file.ts';

/** A table in Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** A page with each of its parts, between `<!-- name: … -->` and `<!-- /name -->`, made anew. */
export async function pageWith(path: string, parts: Readonly<Record<string, string>>): Promise<GeneratedFile> {
  let contents = await readFile(path, 'utf8');
  for (const [name, part] of Object.entries(parts)) {
    const place = new RegExp(`(<!-- ${name}: [^>]* -->\\n)[\\s\\S]*(<!-- /${name} -->)`);
    if (!place.test(contents)) throw new Error(`${path} has no place for its part ${name}`);
    contents = contents.replace(place, (_, begin: string, end: string) => `${begin}\n${part}\n\n${end}`);
  }
  return { path, contents };
}
