import { readFile } from 'node:fs/promises';
import { format, type FormatOptions } from 'oxfmt';

const style = readFile(new URL('../../.oxfmtrc.json', import.meta.url), 'utf8');

/** The contents of a file in the style of the project. Its path says the language. */
export async function formatted(path: string, contents: string): Promise<string> {
  const { ignorePatterns: _, ...options } = JSON.parse(await style) as FormatOptions & { ignorePatterns: string[] };
  const { code, errors } = await format(path, contents, options);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(', ')}`);
  return code;
}
