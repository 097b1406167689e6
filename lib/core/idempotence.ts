/**
 * Whether an operation may be carried out twice without harm: always, never, or with a parameter, given or of certain
 * values.
 */
export type Idempotence = boolean | { readonly with: string; readonly of?: readonly string[] };

/**
 * Whether a call with these parameters may be carried out twice.
 *
 * @example
 * isIdempotent({ with: 'sourcePKey' }, { businessEntity: 'c360.city', sourcePKey: '1' }) // true
 */
export function isIdempotent(idempotence: Idempotence, parameters: unknown): boolean {
  if (typeof idempotence === 'boolean') return idempotence;
  const value = (parameters as Readonly<Record<string, unknown>> | null)?.[idempotence.with];
  return idempotence.of ? idempotence.of.includes(value as string) : value !== undefined;
}
