import type { Schema } from '../generate/caller-schema.ts';
import { BOUNDS, readShape, type Api, type Content, type Post, type Response, type Shape } from './api-shape.ts';

/*
 * Changes of an OpenAPI document that break callers of the old one: the API must still accept what they send, and still
 * return what the old document described.
 */

interface Comparison {
  readonly at: string;
  readonly before: Shape;
  readonly after: Shape;
  readonly apis: readonly [Api, Api];
}

const PROBLEM = 'application/problem+json';

/** All breaking changes, one per line. */
export function breakingChanges(before: Api, after: Api): string[] {
  return Object.entries(before.paths).flatMap(([path, { post: old }]) => {
    const now = after.paths[path]?.post;
    if (!old) return [];
    if (!now) return [`POST ${path} is gone`];
    const at = `POST ${path}`;
    const apis: [Api, Api] = [before, after];
    const responses = Object.entries(old.responses ?? {}).filter(([status]) => /^\d+$/.test(status)); // no 4XX
    const errorTypes = errorTypesOf(after, now);
    return [
      ...compareInput(compared(at, jsonOf(old.requestBody), jsonOf(now.requestBody), apis)),
      ...[...errorTypesOf(before, old)]
        .filter((type) => !errorTypes.has(type))
        .map((type) => `${at} has no ${type} any more`),
      ...responses.flatMap(([status, response]) => {
        const other = now.responses?.[status];
        return other ? compareResponse(`${at}: ${status}`, response, other, apis) : [`${at} has no ${status} any more`];
      }),
    ];
  });
}

/** The types of problems with any status, by which callers distinguish errors. */
function errorTypesOf(api: Api, { responses = {} }: Post): Set<string> {
  const types = Object.values(responses).flatMap((response) => {
    const problem = readShape(api, dereference(api, response).content?.[PROBLEM]?.schema);
    return [...(readShape(api, problem.properties.get('type')).values ?? [])];
  });
  return new Set(types as string[]);
}

function compareResponse(at: string, old: Response, now: Response, apis: readonly [Api, Api]): string[] {
  const content = dereference(apis[1], now).content ?? {};
  return Object.entries(dereference(apis[0], old).content ?? {}).flatMap(([type, { schema }]) => {
    if (!content[type]) return [`${at} is not ${type} any more`];
    return type === PROBLEM ? [] : compareOutput(compared(at, schema, content[type].schema, apis));
  });
}

/** Input that was accepted must still be accepted. */
function compareInput({ at, before, after, apis }: Comparison): string[] {
  const lost = (old: Set<unknown>, now: Set<unknown>) => [...old].filter((value) => !now.has(value));
  const types = after.types.size === 0 ? [] : lost(before.types, after.types);
  const values = after.values ? (before.values ? lost(before.values, after.values) : ['any other value']) : [];
  return [
    ...lost(after.required, before.required).map((name) => `${at}/${String(name)} is required now`),
    ...types
      .filter((type) => type !== 'integer' || !after.types.has('number'))
      .map((type) => `${at} is no ${String(type)} any more`),
    ...values.map((value) => `${at} does not take ${JSON.stringify(value)} any more`),
    ...narrowedBounds(at, before, after),
    ...[...before.properties].flatMap(([name, schema]) => {
      const now = after.properties.get(name);
      return now ? compareInput(compared(`${at}/${name}`, schema, now, apis)) : [`${at}/${name} is gone`];
    }),
    ...compareItems(at, before, after, (one, other) => compareInput(compared(`${at}/*`, one, other, apis))),
  ];
}

/** Lengths, ranges and patterns that accept less than before, for the old types. */
function narrowedBounds(at: string, before: Shape, after: Shape): string[] {
  return [...after.bounds]
    .filter(([keyword]) => before.types.size === 0 || BOUNDS[keyword]!.some((type) => before.types.has(type)))
    .filter(([keyword, bound]) => isNarrower(keyword, before.bounds.get(keyword), bound))
    .map(([keyword, bound]) => `${at} has ${keyword} ${String(bound)} now`);
}

function isNarrower(keyword: string, old: unknown, now: unknown): boolean {
  if (keyword === 'pattern' || keyword === 'uniqueItems') return now !== false && now !== old;
  if (keyword === 'multipleOf') return old === undefined || Number(old) % Number(now) !== 0;
  if (old === undefined) return !/^min(Length|Items|Properties)$/.test(keyword) || now !== 0;
  return /^(min|exclusiveMin)/.test(keyword) ? Number(now) > Number(old) : Number(now) < Number(old);
}

/** Output must still have the properties, types and values that it had. */
function compareOutput({ at, before, after, apis }: Comparison): string[] {
  const isKnown = (type: string) => before.types.has(type) || (type === 'integer' && before.types.has('number'));
  const types = before.types.size === 0 ? [] : [...after.types].filter((type) => !isKnown(type));
  const optional = [...before.required].filter((name) => !after.required.has(name));
  const values = before.values
    ? [...(after.values ?? ['any other value'])].filter((one) => !before.values!.has(one))
    : [];
  return [
    ...types.map((type) => `${at} may be ${type} now`),
    ...values.map((value) => `${at} may be ${JSON.stringify(value)} now`),
    ...optional.map((name) => `${at}/${name} may be missing now`),
    ...[...before.properties].flatMap(([name, schema]) => {
      const now = after.properties.get(name);
      return now ? compareOutput(compared(`${at}/${name}`, schema, now, apis)) : [];
    }),
    ...compareItems(at, before, after, (one, other) => compareOutput(compared(`${at}/*`, one, other, apis))),
  ];
}

const compareItems = (at: string, before: Shape, after: Shape, compare: (one: Schema, other: Schema) => string[]) => [
  ...(before.items && after.items ? compare(before.items, after.items) : []),
  ...(before.others && after.others ? compare(before.others, after.others) : []),
];

const compared = (
  at: string,
  before: Schema | undefined,
  after: Schema | undefined,
  apis: readonly [Api, Api],
): Comparison => ({
  at,
  apis,
  before: readShape(apis[0], before),
  after: readShape(apis[1], after),
});

const jsonOf = (body?: Content) => body?.content?.['application/json']?.schema;

function dereference(api: Api, response: Response): Content {
  const name = response.$ref?.split('/').at(-1);
  return name === undefined ? response : (api.components?.responses?.[name] ?? {});
}
