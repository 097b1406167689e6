import JSON5 from 'json5';

/** A value of a Mule application: known, or something that only its author can fill in. */
export type Value = { readonly known: unknown } | { readonly toFillIn: string };

/**
 * Reads an attribute or a text. A literal in DataWeave is read as it stands; any other expression, and a property
 * placeholder, is left to the reader.
 */
export function readValue(text: string): Value {
  const trimmed = text.trim();
  const expression = /^#\[([^]*)\]$/.exec(trimmed)?.[1];
  if (expression === undefined) return /\$\{[^}]*\}/.test(trimmed) ? { toFillIn: trimmed } : { known: trimmed };
  try {
    return { known: JSON5.parse(expression) };
  } catch {
    return { toFillIn: trimmed };
  }
}

/** A schema, as far as its types are concerned. */
export interface Typed {
  readonly type?: string | string[];
  readonly anyOf?: readonly Typed[];
}

/** Gives a text the type of its parameter. */
export function typed(value: unknown, schema: Typed = {}): unknown {
  if (typeof value !== 'string') return value;
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? []);
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true';
  if (types.some((one) => one === 'integer' || one === 'number') && /^-?\d+$/.test(value)) return Number(value);
  return value;
}
