import type { SourceRecord } from './record.ts';

/** The fields that identify a thing, by entity. */
export type MatchRules = Readonly<Record<string, readonly string[]>>;

export const MATCH_RULES: MatchRules = {
  'c360.city': ['name', 'country', 'adminCode'],
  'c360.person': ['firstName', 'lastName', 'birthDate'],
};

/**
 * The match key of a source record: the values of the identifying fields, without case and outer spaces. A missing
 * value equals a missing one. Undefined if the first field has no value: such a record matches no other.
 */
export function matchOf({ entity, fields }: SourceRecord, rule: readonly string[] = []): string | undefined {
  const values = rule.map((name) => plain(fields.get(name)?.value));
  return values[0] ? `${entity} ${JSON.stringify(values)}` : undefined;
}

/** A lookup counts with its code. */
function plain(value: unknown): string {
  if (value === undefined || value === null) return '';
  const code = (value as { Code?: unknown }).Code ?? value;
  return (typeof code === 'string' ? code : JSON.stringify(code)).trim().toLowerCase();
}
