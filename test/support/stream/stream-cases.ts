import fc from 'fast-check';

/** Entry ids, whole or not, near those that a stream of a test holds. */
export const id = fc.oneof(
  fc.constantFrom('0', '0-0', '1-1', '3', '5-5', '18446744073709551615-18446744073709551615', '18446744073709551616'),
  fc.tuple(fc.nat(9), fc.nat(9)).map((parts) => parts.join('-')),
);
/** What stands in place of an id, of any command. */
export const oddId = fc.oneof(
  id,
  fc.constantFrom('-', '+', '$', '>', '*', '7-*', '', 'x', '(2', '(0-0', '1-2-3', '-1', '((1'),
);
export const count = fc.option(fc.constantFrom(-1, 0, 1, 2, 5, '9223372036854775807', '9223372036854775808'), {
  nil: undefined,
});
export const eviction = fc.record(
  {
    maxLength: fc.constantFrom(-1, 0, 1, 3, '9223372036854775808'),
    id,
    exactTrimming: fc.boolean(),
    limit: fc.constantFrom(-1, 0, 1, 100),
  },
  { requiredKeys: [] },
);

/** A call of an operation, and the same one as raw Redis takes it. */
export interface Case {
  operation: string;
  parameters: object;
  /** The same call on a key, as a client writes it that knows no better. */
  raw: (key: string) => string[];
}

type Value = string | number | undefined;

/** The words of an option, if it is given. */
export const optional = (name: string, value: Value) => (value === undefined ? [] : [name, String(value)]);
interface Eviction {
  maxLength?: Value;
  id?: string;
  exactTrimming?: boolean;
  limit?: number;
}
/** Both variants at once where both are given; none is no option that Redis knows, so it must be refused. */
export const evictionWords = ({ maxLength, id, exactTrimming = true, limit }: Eviction): string[] => {
  const strategy = exactTrimming ? '=' : '~';
  const variants = [
    ...(maxLength === undefined ? [] : ['MAXLEN', strategy, String(maxLength)]),
    ...(id === undefined ? [] : ['MINID', strategy, id]),
  ];
  return [...(variants.length > 0 ? variants : ['MAXLEN']), ...optional('LIMIT', limit)];
};

/** Ids that Redis made from its clock differ. */
export const withoutTime = (state: unknown): unknown => JSON.parse(JSON.stringify(state).replace(/\d{13}-\d+/g, 'now'));
