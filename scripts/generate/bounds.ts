/** A schema, as far as its bounds are concerned. */
export interface Bounded {
  type?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  items?: Bounded;
  properties?: Record<string, Bounded>;
  anyOf?: Bounded[];
}

/** The bounds of a member: `1 to 500 items`. Undefined if it has no upper bound, or only one size. */
export function boundsOf(schema: Bounded, name = ''): string | undefined {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, minProperties, maxProperties } = schema;
  const bounds = [
    range(minimum, maximum, name.endsWith('Ms') ? ' ms' : ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    range(minProperties, maxProperties, ' fields'),
  ].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? undefined : bounds.join(', ');
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (most === undefined || most === least || most === Number.MAX_SAFE_INTEGER) return undefined;
  return `${least === undefined ? 'at most' : `${number(least)} to`} ${number(most)}${unit}`;
}

/** The bounds of all members of a schema, by their paths: `records[].sourcePKey`. */
export function allBounds(schema: Bounded, path = ''): [path: string, bounds: string][] {
  const bounds = boundsOf(schema, path);
  const inner = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
      allBounds(member, path === '' ? name : `${path}.${name}`),
    ),
    ...(schema.items ? allBounds(schema.items, `${path}[]`) : []),
    ...(schema.anyOf ?? []).flatMap((one) => allBounds(one, path)),
  ];
  return [...(bounds === undefined ? [] : [[path, bounds] as [string, string]]), ...inner];
}

/** A number as a person reads it: `100,000`. */
const number = (value: number): string => value.toLocaleString('en-US');
