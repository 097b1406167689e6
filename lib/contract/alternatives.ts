import { rule } from './operation.ts';

/** One form of an object among several. */
export interface Form {
  /** Properties that it needs. */
  readonly required?: readonly string[];
  /** Properties that it may have. What neither list names, but another form does, it must not have. */
  readonly optional?: readonly string[];
  /** Properties that take less in this form than elsewhere. */
  readonly narrowed?: Readonly<Record<string, object>>;
}

/** A choice among forms, as keywords of an object's schema. */
export type Choice = {
  /** For documents, client types and generators: choices that do not depend on each other. Any of their forms combine. */
  'x-alternatives': readonly (readonly Form[])[];
  /** For the validator. */
  allOf: Record<string, unknown>[];
};

const anyOfNames = (names: readonly string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });
const namesOf = ({ required = [], optional = [] }: Form) => [...required, ...optional];

/**
 * A choice among forms that is checked by rules, because each fault has a message of its own.
 *
 * The rules accept what exactly one form accepts; test/contract/alternatives.test.ts compares the two.
 */
export function choiceOf(forms: readonly Form[], rules: readonly Record<string, unknown>[]): Choice {
  // in an element of their own: documents say what other rules of an object say, and show these as alternatives
  return { 'x-alternatives': [forms], allOf: [{ allOf: rules }] };
}

/**
 * A choice among forms with one message for whatever fits none.
 *
 * @example
 * oneFormOf([{ optional: ['pageSize'] }, { required: ['recordsToReturn'] }], 'mixes two ways of paging')
 */
export function oneFormOf(forms: readonly Form[], message: string): Choice {
  const schemas = forms.map((form) => ({
    required: form.required ?? [],
    properties: form.narrowed ?? {},
    ...without(namesMissing(forms, form)),
  }));
  return choiceOf(forms, [rule({ anyOf: schemas }, message)]);
}

/** Names that other forms have and this one must not have. */
export function namesMissing(forms: readonly Form[], form: Form): string[] {
  const own = new Set(namesOf(form));
  return [...new Set(forms.flatMap(namesOf))].filter((name) => !own.has(name));
}

const without = (names: readonly string[]) => (names.length === 0 ? {} : { not: anyOfNames(names) });

/**
 * Groups of properties of which exactly one is given, whole: `businessId`, or `sourceSystem` with `sourcePKey`.
 *
 * @param groups property names; none is required by the object itself
 * @param messages what to say where none is given, where several are, and where a group is not whole
 * @example
 * Type.Object({ search: Type.Optional(...), fields: Type.Optional(...) }, exactlyOneOf([['search'], ['fields']], { none, several }))
 */
export function exactlyOneOf(groups: string[][], messages: { none: string; several: string; part?: string }): Choice {
  const pairs = groups.flatMap((group, at) => groups.slice(at + 1).map((other) => [group, other] as const));
  const together = Object.fromEntries(
    groups.flatMap((group) => group.map((name) => [name, group.filter((other) => other !== name)] as const)),
  );
  return choiceOf(
    groups.map((required) => ({ required })),
    [
      rule(anyOfNames(groups.flat()), messages.none),
      rule(
        { not: { type: 'object', anyOf: pairs.map((pair) => ({ allOf: pair.map(anyOfNames) })) } },
        messages.several,
      ),
      ...(messages.part ? [rule({ dependentRequired: together }, messages.part)] : []),
    ],
  );
}

/** Several choices of one object, about different properties. */
export function choices(...all: readonly Choice[]): Choice {
  return {
    'x-alternatives': all.flatMap((choice) => choice['x-alternatives']),
    allOf: all.flatMap(({ allOf }) => allOf),
  };
}
