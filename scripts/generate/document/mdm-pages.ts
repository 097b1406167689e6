import { registry } from '#functions/registry.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { knownFromPart } from '../known-from.ts';
import { tableOf } from '../tables.ts';
import { BANNER, showCall, type Post } from './call.ts';
import { CALLS } from './mdm-calls.ts';

interface Property {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Property[];
  description?: string;
  default?: unknown;
  properties?: Record<string, Property>;
  items?: Property;
  required?: string[];
}

/** Pages by their path. */
export type Pages = Map<string, string>;

const asCode = (name: string) => `\`${name}\``;

/**
 * Makes a page for each MDM operation: its parameters and output, and calls with their responses on an empty sandbox
 * MDM and an empty Redis.
 */
export async function renderMdmPages(post: Post): Promise<Pages> {
  const calls = new Map<string, string[]>();
  for (const [operation, says, parameters] of CALLS) {
    const route = `/mdm/${operation}`;
    const shown = [says, showCall(route, parameters, await post(route, parameters), steady)];
    calls.set(operation, [...(calls.get(operation) ?? []), ...shown]);
  }
  const operations = registry.filter(({ connector }) => connector === 'mdm');
  return new Map(operations.map((operation) => [pathOf(operation), renderPage(operation, calls)]));
}

const shortName = ({ name }: Operation) => name.slice('mdm-'.length);
const pathOf = (operation: Operation) => `docs/mdm/${shortName(operation)}.md`;

function renderPage(operation: Operation, calls: Map<string, string[]>): string {
  const { name, summary, description = '', route, errors } = operation;
  const input = operation.input as Property;
  const attributes = (operation.output as Property).properties?.attributes;
  return [
    BANNER,
    `# ${shortName(operation)}`,
    `${summary}. ${description}`,
    `\`POST ${route}\`, function \`${name}\`. [Errors](../errors.md): ${errors.map(asCode).join(', ')}.`,
    '## Parameters',
    tableOf(['parameter', 'type', 'default', 'meaning'], parameterRows(input)),
    ...(attributes
      ? [
          '## Attributes',
          tableOf(['attribute', 'type', 'meaning'], Object.entries(attributes.properties!).map(attributeRow)),
        ]
      : []),
    '## By example',
    ...(calls.get(shortName(operation)) ?? []),
    ...knownFromPart(operation),
  ].join('\n\n');
}

/** The parameters of an object, and those of its members: `filters.filter[].comparator`. */
function parameterRows({ properties = {}, required = [] }: Property, path = ''): string[][] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const isRequired = required.includes(name) && property.default === undefined;
    const standard = property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``;
    const full = `${path}${name}`;
    const row = [`\`${full}\``, typeOf(property), isRequired ? 'required' : standard, property.description ?? ''];
    return [row, ...parameterRows(property.items ?? property, `${full}${property.items ? '[]' : ''}.`)];
  });
}

function attributeRow([name, property]: [string, Property]): string[] {
  return [`\`${name}\``, typeOf(property), property.description ?? ''];
}

function typeOf({ type, enum: values, anyOf }: Property): string {
  if (values) return values.map(String).join(', ');
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  return [type ?? 'any'].flat().join(' or ');
}

/** Replaces times, ids made from the clock, and the address of the sandbox. */
function steady(text: string): string {
  return text
    .replaceAll(/"ms":\d+/g, '"ms":12')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'mdm.example')
    .replaceAll(/("(?:creationDate|lastUpdateDate|sourceLastUpdatedDate)":"?)\d{13}/g, '$11763640000000')
    .replaceAll(/"id":"\d{13}-0"/g, '"id":"1763640000000-0"')
    .replaceAll(/"date":"[^"]+"/g, '"date":"Thu, 20 Nov 2025 12:00:00 GMT"');
}
