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
  if (expression === undefined) return /\$\{|#\[/.test(trimmed) ? { toFillIn: trimmed } : { known: trimmed };
  const known = literal(expression);
  return known === undefined ? { toFillIn: trimmed } : { known };
}

const STRING = /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"/g;

/** The value of a literal, or nothing where reading it as JSON5 would not give what DataWeave makes of it. */
function literal(expression: string): unknown {
  // "$(…)", "$name" and "${…}" stand for other values; an id of "$" does not.
  if (/\$[\w({]/.test(expression)) return undefined;
  let value: unknown;
  try {
    value = JSON5.parse(expression);
  } catch {
    return undefined;
  }
  const bare = expression.replaceAll(STRING, '""');
  const numbers = bare.match(/[-+]?(?:\b|\.)\d[\w.+-]*|\b(?:Infinity|NaN)\b/g) ?? [];
  if (numbers.some((digits) => !Number.isFinite(Number(digits)) || String(Number(digits)) !== digits)) return undefined;
  // DataWeave keeps a key that is there twice; JSON5 keeps the last one.
  return (bare.match(/:/g)?.length ?? 0) === keysIn(value) ? value : undefined;
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce<number>((sum, one) => sum + keysIn(one), 0);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
}

/** A schema, as far as its types are concerned. */
export interface Typed {
  readonly type?: string | string[];
  readonly anyOf?: readonly Typed[];
}

/** Gives a text the type of its parameter. An integer that a number cannot hold stays text. */
export function typed(value: unknown, schema: Typed = {}): unknown {
  if (typeof value !== 'string') return value;
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? []);
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true';
  const isNumber = types.some((one) => one === 'integer' || one === 'number') && /^-?\d+$/.test(value);
  return isNumber && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
