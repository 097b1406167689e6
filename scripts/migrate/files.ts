import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, ScriptError } from '../arguments.ts';

/** The XML files of these files and folders, each once, with their text; those of a folder in order of their names. */
export function filesOf(paths: readonly string[]): { path: string; text: string }[] {
  const files = paths.flatMap((path) => (isFolder(path) ? xmlIn(path) : [path]));
  return [...new Set(files)].map((path) => ({
    path,
    text: textOf(
      readable(path, () => readFileSync(path)),
      path,
    ),
  }));
}

const isFolder = (path: string) => readable(path, () => statSync(path)).isDirectory();

const readable = <T>(path: string, read: () => T) => attempt(read, () => `${path} cannot be read`);

function xmlIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.xml'));
  return files.sort().map((name) => join(folder, name));
}

/** The text of an XML file, in the encoding that it names. */
function textOf(bytes: Buffer, path: string): string {
  const mark = /^(\xfe\xff|\xff\xfe)/.exec(bytes.toString('latin1', 0, 2))?.[0];
  const named = /^<\?xml[^>]*\sencoding=["']([^"']+)/.exec(bytes.toString('latin1', 0, 200))?.[1] ?? 'utf-8';
  const encoding = mark === undefined ? named : mark === '\xff\xfe' ? 'utf-16le' : 'utf-16be';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new ScriptError(`${path} is not ${encoding}: save it as UTF-8`);
  }
}
