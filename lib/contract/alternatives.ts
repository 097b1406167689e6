import { rule } from './operation.ts';

type Rules = { 'x-alternatives': string[][]; allOf: Record<string, unknown>[] };

const anyOfNames = (names: readonly string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });

/**
 * Groups of properties of which exactly one is given, whole: `businessId`, or `sourceSystem` with `sourcePKey`.
 *
 * The validator checks rules, because each has a message of its own. Documents and client types are made from
 * `x-alternatives`: a `oneOf` of objects, which generators understand.
 *
 * @param groups property names; none is required by the object itself
 * @param messages what to say where none is given, where several are, and where a group is not whole
 * @example
 * Type.Object({ search: Type.Optional(...), fields: Type.Optional(...) }, exactlyOneOf([['search'], ['fields']], { none, several }))
 */
export function exactlyOneOf(groups: string[][], messages: { none: string; several: string; part?: string }): Rules {
  const pairs = groups.flatMap((group, at) => groups.slice(at + 1).map((other) => [group, other] as const));
  const together = Object.fromEntries(
    groups.flatMap((group) => group.map((name) => [name, group.filter((other) => other !== name)] as const)),
  );
  return {
    'x-alternatives': groups,
    // in an element of their own: documents say what other rules of an object say, and show these as alternatives
    allOf: [
      {
        allOf: [
          rule(anyOfNames(groups.flat()), messages.none),
          rule({ not: { anyOf: pairs.map((pair) => ({ allOf: pair.map(anyOfNames) })) } }, messages.several),
          ...(messages.part ? [rule({ dependentRequired: together }, messages.part)] : []),
        ],
      },
    ],
  };
}
