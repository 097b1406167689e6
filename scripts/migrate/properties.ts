import { readFileSync } from 'node:fs';
import { parse as parseProperties } from 'dot-properties';
import { parse as parseYaml } from 'yaml';
import { attempt } from '../arguments.ts';

/** Values that stand for `${name}` in a Mule application, by their names. */
export type Properties = ReadonlyMap<string, string>;

/** What `mule-secure-configuration-properties` encrypts: `![…]`. */
const ENCRYPTED = /^!\[.*\]$/;

/**
 * The properties of an application's files: `.properties`, or YAML, whose nested names are joined by dots. Later files
 * win. An encrypted value is left out.
 */
export function readPropertyFiles(paths: readonly string[]): Properties {
  const all = paths.flatMap((path) => {
    const text = attempt(
      () => readFileSync(path, 'utf8'),
      () => `${path} cannot be read`,
    );
    return attempt(
      () => valuesIn(path.endsWith('.properties') ? parseProperties(text) : parseYaml(text, { schema: 'failsafe' })),
      (message) => `${path} holds no properties: ${message.split('\n')[0]}`,
    );
  });
  return new Map([...new Map(all)].filter(([, value]) => !ENCRYPTED.test(value)));
}

/** Each value under its full name. Mule joins the texts of a list by commas. */
function valuesIn(content: unknown, above = ''): [string, string][] {
  if (typeof content !== 'object' || content === null) throw new Error('it is no list of names and values');
  return Object.entries(content as Record<string, unknown>).flatMap(([key, value]) => {
    const name = above + key;
    if (typeof value === 'string') return [[name, value]];
    return Array.isArray(value) ? [[name, value.join(',')]] : valuesIn(value ?? {}, `${name}.`);
  });
}

/**
 * A text with the values of its placeholders, `${name}` or, of a secure file, `${secure::name}`. One without a value
 * stays, and so does one of a circle.
 */
export function resolved(text: string, properties: Properties, within: readonly string[] = []): string {
  return text.replaceAll(/(?<!\\)\$\{(?:secure::)?([^${}]+)\}/g, (placeholder, name: string) => {
    const value = properties.get(name);
    const isKnown = value !== undefined && !within.includes(name);
    return isKnown ? resolved(value, properties, [...within, name]) : placeholder;
  });
}
