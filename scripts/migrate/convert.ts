import type { Element } from '@xmldom/xmldom';
import type { TSchema } from 'typebox';
import { registry } from '#functions/registry.ts';
import { validate } from '#lib/contract/validation.ts';
import { CONNECTORS, type Replacement } from './connectors.ts';
import { attributesOf, childrenOf, type MuleElement } from './read-application.ts';
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

/** Converts an operation's element; names what it cannot know, and guesses nothing. */
export function convert(from: MuleElement): Converted {
  const { elements } = Object.values(CONNECTORS).find(({ name }) => name === from.connector)!;
  const replacement = elements[from.localName];
  if (!replacement) {
    return { from, status: 'not possible', toFillIn: {}, notes: [`no operation replaces ${from.name}`] };
  }
  const { operation, renamed = {}, notes = [] } = replacement;
  const contract = registry.find(({ name }) => name === operation)!;
  const values = valuesOf(from.element);
  const input: Record<string, unknown> = {};
  const toFillIn: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const here = renamed[name] ?? name;
    if ('toFillIn' in value) toFillIn[here] = value.toFillIn;
    else input[here] = typed(value.known, contract.input.properties[here]);
  }
  adapt(operation, input);
  const faults = faultsOf(contract.input, input, Object.keys(toFillIn));
  const isRenamed = Object.keys(values).some((name) => renamed[name] !== undefined);
  return {
    from,
    status: Object.keys(toFillIn).length + faults.length > 0 ? 'to fill in' : isRenamed ? 'renamed' : 'same',
    call: { operation, input },
    toFillIn,
    notes: [...faults, ...renames(values, replacement), ...notes],
  };
}

/** Attributes and nested elements as parameters, by their names in camelCase. */
function valuesOf(element: Element): Record<string, Value> {
  const values: [string, Value][] = attributesOf(element).map(([name, text]) => [name, readValue(text)]);
  for (const child of childrenOf(element)) {
    const name = (child.localName ?? '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    values.push([name, nestedValue(child)]);
  }
  return Object.fromEntries(values);
}

/** The value of a nested element: its text, a map of keys and values, an option, or a list. */
function nestedValue(element: Element): Value {
  const children = childrenOf(element);
  if (children.length === 0) return readValue(element.textContent ?? '');
  const items = children.map((child) => Object.fromEntries(attributesOf(child)));
  const hard = items.flatMap((item) => Object.values(item)).find((text) => 'toFillIn' in readValue(text));
  if (hard !== undefined) return { toFillIn: hard };
  if (items.every((item) => 'key' in item && 'value' in item)) {
    return { known: Object.fromEntries(items.map(({ key, value }) => [key, value])) };
  }
  if (/option$/.test(element.localName ?? '')) return { known: items[0] };
  return { known: items.map((item) => (Object.keys(item).join() === 'value' ? item.value : item)) };
}

/** What the connectors shape in another way. */
function adapt(operation: string, input: Record<string, unknown>): void {
  if (operation === 'mdm-search') {
    const { operator, filters } = input;
    delete input.operator;
    if (Array.isArray(filters)) input.filters = { operator: operator ?? 'AND', filter: filters };
    if (!('pageSize' in input || 'recordsToReturn' in input)) input.allPages = true;
  }
  if (operation === 'mdm-http-request') input.throwOnError = false;
  if (typeof input.evictionOption === 'object' && input.evictionOption !== null) {
    const option = input.evictionOption as Record<string, string>;
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
