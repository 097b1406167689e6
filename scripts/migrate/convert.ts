import { XMLSerializer, type Element } from '@xmldom/xmldom';
import type { TSchema } from 'typebox';
import { registry } from '#functions/registry.ts';
import { validate } from '#lib/contract/validation.ts';
import { CONNECTORS, type Replacement } from './connectors.ts';
import { attributesOf, childrenOf, hasText, type MuleElement } from './read-application.ts';
import { readValue, typed, type Typed, type Value } from './values.ts';

/** What replaces an element. */
export interface Converted {
  readonly from: MuleElement;
  readonly status: 'same' | 'renamed' | 'to fill in' | 'not possible';
  /** The operation and its parameters, without those to fill in. */
  readonly call?: { readonly operation: string; readonly input: Record<string, unknown> };
  /** Parameters that are expressions or placeholders, with their text. */
  readonly toFillIn: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/**
 * Converts an operation's element; names what it cannot know, and guesses nothing. `refs` has the configurations of the
 * application.
 */
export function convert(from: MuleElement, refs: ReadonlyMap<string, string>): Converted {
  const { elements } = Object.values(CONNECTORS).find(({ name }) => name === from.connector)!;
  const replacement = Object.hasOwn(elements, from.localName) && elements[from.localName];
  if (!replacement) {
    return { from, status: 'not possible', toFillIn: {}, notes: [`no operation replaces ${from.name}`] };
  }
  const { operation, renamed = {}, notes = [] } = replacement;
  const contract = registry.find(({ name }) => name === operation)!;
  const values = valuesOf(from.element);
  const input: Record<string, unknown> = {};
  const toFillIn: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const here = Object.hasOwn(renamed, name) ? renamed[name]! : name;
    if ('toFillIn' in value) toFillIn[here] = value.toFillIn;
    else input[here] = typed(value.known, contract.input.properties[here]);
  }
  adapt(operation, input, toFillIn);
  const faults = faultsOf(contract.input, input, Object.keys(toFillIn));
  const isRenamed = Object.keys(values).some((name) => Object.hasOwn(renamed, name));
  return {
    from,
    status: Object.keys(toFillIn).length + faults.length > 0 ? 'to fill in' : isRenamed ? 'renamed' : 'same',
    call: { operation, input },
    toFillIn,
    notes: [...faults, ...renames(values, replacement), ...notes, ...aroundIt(from.element, refs)],
  };
}

/** Attributes and nested elements as parameters, by their names in camelCase. */
function valuesOf(element: Element): Record<string, Value> {
  const values: [string, Value][] = attributesOf(element)
    .filter(([name]) => !['config-ref', 'target', 'targetValue'].includes(name))
    .map(([name, text]) => [name, readValue(text)]);
  for (const child of childrenOf(element).filter(({ namespaceURI }) => namespaceURI === element.namespaceURI)) {
    const name = (child.localName ?? '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    values.push([name, nestedValue(child)]);
  }
  return Object.fromEntries(values);
}

/** The value of a nested element: its text, a map of keys and values, an option, or a list. Any other stays XML. */
function nestedValue(element: Element): Value {
  const children = childrenOf(element);
  const asXml = {
    toFillIn: new XMLSerializer().serializeToString(element).replaceAll(/ xmlns(:[\w.-]+)?="[^"]*"/g, ''),
  };
  if (attributesOf(element).length > 0) return asXml;
  if (children.length === 0) return readValue(element.textContent ?? '');
  if (hasText(element) || children.some((child) => hasText(child) || childrenOf(child).length > 0)) return asXml;
  const items: Record<string, unknown>[] = [];
  for (const child of children) {
    const values = attributesOf(child).map(([name, text]) => [name, readValue(text)] as const);
    if (values.some(([, value]) => 'toFillIn' in value)) return asXml;
    items.push(Object.fromEntries(values.map(([name, value]) => [name, 'known' in value && value.known])));
  }
  if (items.every((item) => 'key' in item && 'value' in item)) {
    const map = Object.fromEntries(items.map(({ key, value }) => [key, value])) as Record<string, unknown>;
    return Object.keys(map).length === items.length ? { known: map } : asXml;
  }
  if (/option$/.test(element.localName ?? '')) return items.length === 1 ? { known: items[0] } : asXml;
  return { known: items.map((item) => (Object.keys(item).join() === 'value' ? item.value : item)) };
}

/** What the connectors shape in another way. */
function adapt(operation: string, input: Record<string, unknown>, toFillIn: Record<string, string>): void {
  if (operation === 'mdm-search') {
    joinFilters(input, toFillIn);
    const given = { ...input, ...toFillIn };
    if (!('pageSize' in given || 'recordsToReturn' in given)) input.allPages = true;
  }
  if (operation === 'mdm-http-request') input.throwOnError = false;
  if (typeof input.evictionOption === 'object' && input.evictionOption !== null) {
    const option = input.evictionOption as Record<string, unknown>;
    const types: Record<string, Typed> = {
      maxLength: { type: 'integer' },
      limit: { type: 'integer' },
      exactTrimming: { type: 'boolean' },
    };
    input.evictionOption = Object.fromEntries(
      Object.entries(option).map(([name, text]) => [name, typed(text, types[name])]),
    );
  }
}

/** `operator` and `filters` are one parameter here, to be filled in if either is. */
function joinFilters(input: Record<string, unknown>, toFillIn: Record<string, string>): void {
  const { operator, filters } = input;
  if (toFillIn.operator !== undefined || toFillIn.filters !== undefined) {
    const textOf = (name: 'operator' | 'filters') =>
      toFillIn[name] ?? (name in input ? JSON.stringify(input[name]) : 'not given');
    toFillIn.filters = `operator: ${textOf('operator')}, filters: ${textOf('filters')}`;
    delete toFillIn.operator;
    delete input.filters;
  } else if (Array.isArray(filters)) {
    input.filters = { operator: operator ?? 'AND', filter: filters };
  }
  delete input.operator;
}

/** The faults of the contract, but for what is to be filled in. */
function faultsOf(schema: TSchema, input: Record<string, unknown>, toFillIn: readonly string[]): string[] {
  const filled = structuredClone(input);
  return validate(schema, filled)
    .filter(({ pointer }) => toFillIn.length === 0 || !(pointer === '' || toFillIn.includes(pointer.split('/')[1]!)))
    .map(({ pointer, message }) => `${pointer || 'the call'} ${message}`);
}

const renames = (given: Record<string, Value>, { renamed = {} }: Replacement): string[] =>
  Object.entries(renamed)
    .filter(([name]) => name in given)
    .map(([name, here]) => `\`${name}\` is \`${here}\` here`);

/** Where the result went, unless it became the payload, and a configuration that no file has. */
function aroundIt(element: Element, refs: ReadonlyMap<string, string>): string[] {
  const config = element.getAttribute('config-ref');
  const target = element.getAttribute('target');
  const value = element.getAttribute('targetValue');
  const missing = config !== null && !refs.has(config);
  return [
    ...(target === null ? [] : [`its result went to \`${target}\`${value === null ? '' : ` as \`${value}\``}`]),
    ...(missing ? [`\`${config}\` is not among these files: the call uses the secret \`default\``] : []),
  ];
}
