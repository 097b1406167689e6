/*
 * What of an API's new description breaks callers of the old one. Reads both ways of writing alternatives: one object with
 * rules, and a oneOf of objects.
 */

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
}
interface Content {
  content?: Record<string, { schema?: Schema }>;
}
export interface Api {
  paths: Record<string, { post?: { requestBody?: Content; responses?: Record<string, Content> } }>;
  components?: { schemas?: Record<string, Schema> };
}

/** A schema as one object: what each alternative has, and what all of them require. */
interface Shape {
  types: Set<string>;
  values?: Set<unknown>;
  properties: Map<string, Schema>;
  required: Set<string>;
  items?: Schema;
}

/** Every breaking change, a line each. */
export function breakingChanges(before: Api, after: Api): string[] {
  return Object.entries(before.paths).flatMap(([path, { post: old }]) => {
    const now = after.paths[path]?.post;
    if (!old) return [];
    if (!now) return [`POST ${path} is gone`];
    const input = (content?: Content) => content?.content?.['application/json']?.schema;
    const outputs = Object.entries(old.responses ?? {}).filter(([status]) => status.startsWith('2'));
    return [
      ...compareInput(`POST ${path}`, shapeOf(before, input(old.requestBody)), shapeOf(after, input(now.requestBody)), [before, after]), // prettier-ignore
      ...outputs.flatMap(([status, response]) => {
        if (!now.responses?.[status]) return [`POST ${path}: no ${status} any more`];
        const media = Object.keys(response.content ?? {}).filter((type) => !now.responses![status]!.content?.[type]);
        const [a, b] = [shapeOf(before, input(response)), shapeOf(after, input(now.responses[status]))];
        return [
          ...media.map((type) => `POST ${path}: ${status} is not ${type} any more`),
          ...compareOutput(`POST ${path}: ${status}`, a, b, [before, after]),
        ];
      }),
    ];
  });
}

/** What was accepted must still be. */
function compareInput(at: string, before: Shape, after: Shape, apis: [Api, Api]): string[] {
  const newlyRequired = [...after.required].filter((name) => !before.required.has(name));
  const lost = (old: Set<unknown>, now: Set<unknown>) => [...old].filter((value) => !now.has(value));
  const types = after.types.size === 0 ? [] : lost(before.types, after.types).filter((type) => type !== 'integer' || !after.types.has('number')); // prettier-ignore
  const values = after.values ? (before.values ? lost(before.values, after.values) : ['any other value']) : [];
  return [
    ...newlyRequired.map((name) => `${at}/${name} is required now`),
    ...types.map((type) => `${at} is no ${String(type)} any more`),
    ...values.map((value) => `${at} does not take ${JSON.stringify(value)} any more`),
    ...[...before.properties].flatMap(([name, schema]) => {
      const now = after.properties.get(name);
      if (!now) return [`${at}/${name} is gone`];
      return compareInput(`${at}/${name}`, shapeOf(apis[0], schema), shapeOf(apis[1], now), apis);
    }),
    ...(before.items && after.items
      ? compareInput(`${at}/*`, shapeOf(apis[0], before.items), shapeOf(apis[1], after.items), apis)
      : []),
  ];
}

/** What was always there must still be, in one of the types that it had. */
function compareOutput(at: string, before: Shape, after: Shape, apis: [Api, Api]): string[] {
  const types = before.types.size === 0 ? [] : [...after.types].filter((type) => !before.types.has(type) && !(type === 'integer' && before.types.has('number'))); // prettier-ignore
  const gone = [...before.required].filter((name) => !after.required.has(name));
  return [
    ...types.map((type) => `${at} may be ${type} now`),
    ...gone.map((name) => `${at}/${name} may be missing now`),
    ...[...before.properties].flatMap(([name, schema]) => {
      const now = after.properties.get(name);
      return now ? compareOutput(`${at}/${name}`, shapeOf(apis[0], schema), shapeOf(apis[1], now), apis) : [];
    }),
    ...(before.items && after.items
      ? compareOutput(`${at}/*`, shapeOf(apis[0], before.items), shapeOf(apis[1], after.items), apis)
      : []),
  ];
}

function shapeOf(api: Api, schema: Schema = {}): Shape {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return shapeOf(api, api.components?.schemas?.[name]);
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).map((one) => shapeOf(api, one));
  const own = new Set(schema.required ?? []);
  const [first, ...others] = alternatives;
  const shared = first ? [...first.required].filter((each) => others.every(({ required }) => required.has(each))) : [];
  return {
    types: new Set([...(schema.type ? [schema.type].flat() : []), ...alternatives.flatMap(({ types }) => [...types])]),
    ...(schema.enum && { values: new Set(schema.enum) }),
    properties: new Map([...alternatives.flatMap((one) => [...one.properties]), ...Object.entries(schema.properties ?? {})]), // prettier-ignore
    required: new Set([...own, ...shared]),
    ...(schema.items && { items: schema.items }),
  };
}
