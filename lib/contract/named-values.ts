import type { TSchema } from 'typebox';

/**
 * What a parameter names, by the mark `x-names` of its schema:
 *
 * - `stream`: a stream of Redis, by its whole name
 * - `dead-letters`: a stream of dead letters
 * - `shards`: a stream, or the base name of its shards; the operation itself finds out which
 * - `path`: a path of the API
 * - `entity`: a business entity or a relationship
 * - `method`: the method of a request
 */
export type Names = 'stream' | 'dead-letters' | 'shards' | 'path' | 'entity' | 'method';

/** A value of a call that names something, and its place in the parameters. */
export interface NamedValue {
  readonly names: Names;
  readonly pointer: string;
  readonly value: string;
}

/** A marked place of a schema: members, or `*` for each item of a list. */
interface Place {
  readonly names: Names;
  readonly path: readonly string[];
}

const EACH = '*';
const known = new WeakMap<TSchema, readonly Place[]>();

/** The values of valid parameters that name something, by their contract. */
export function namedValues(schema: TSchema, parameters: unknown): NamedValue[] {
  const places = known.get(schema) ?? placesIn(schema, []);
  known.set(schema, places);
  return places.flatMap(({ names, path }) => valuesAt(parameters, path).map((found) => ({ names, ...found })));
}

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly 'x-names'?: Names;
}

function placesIn(node: Node, path: readonly string[]): Place[] {
  const names = node['x-names'];
  const members = Object.entries(node.properties ?? {});
  return [
    ...(names === undefined ? [] : [{ names, path }]),
    ...members.flatMap(([name, member]) => placesIn(member, [...path, name])),
    ...(node.items === undefined ? [] : placesIn(node.items, [...path, EACH])),
  ];
}

function valuesAt(value: unknown, path: readonly string[], pointer = ''): { pointer: string; value: string }[] {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'string' ? [{ pointer, value }] : [];
  if (name === EACH)
    return Array.isArray(value) ? value.flatMap((item, at) => valuesAt(item, rest, `${pointer}/${at}`)) : [];
  return valuesAt((value as Record<string, unknown> | undefined)?.[name], rest, `${pointer}/${name}`);
}
