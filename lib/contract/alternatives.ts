import { rule } from './operation.ts';

/** One of several forms of an object. */
export interface Form {
  /** Its type's name in the typed client, whose compiler errors say it. */
  readonly name: string;
  /** Properties that this form requires. */
  readonly required?: readonly string[];
  /** Properties that it may have. Properties that only other forms name are forbidden. */
  readonly optional?: readonly string[];
  /** Properties that accept fewer values in this form. */
  readonly narrowed?: Readonly<Record<string, object>>;
}

/** A choice between forms, as keywords of an object's schema. */
export type Choice = {
  /** For documents, client types and generators: independent choices, whose forms combine freely. */
  'x-alternatives': readonly (readonly Form[])[];
  /** For the validator. */
  allOf: Record<string, unknown>[];
};

const anyOfNames = (names: readonly string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });
const namesOf = ({ required = [], optional = [] }: Form) => [...required, ...optional];

/**
 * A choice between forms that is checked by rules, so that each fault has its own message.
 *
 * The rules accept the same values as the forms; test/contract/alternatives.test.ts compares them.
 */
export function choiceOf(forms: readonly Form[], rules: readonly Record<string, unknown>[]): Choice {
  // in their own element, because documents show these as alternatives, and other rules of an object as text
  return { 'x-alternatives': [forms], allOf: [{ allOf: rules }] };
}

/**
 * A choice between forms, with one message for a value that matches none.
 *
 * @example
 * oneFormOf(
 *   [{ name: 'ByPage', optional: ['pageSize'] }, { name: 'ByCount', required: ['recordsToReturn'] }],
 *   'mixes two ways of paging',
 * )
 */
export function oneFormOf(forms: readonly Form[], message: string): Choice {
  const schemas = forms.map((form) => ({
    required: form.required ?? [],
    properties: form.narrowed ?? {},
    ...without(namesMissing(forms, form)),
  }));
  return choiceOf(forms, [rule({ anyOf: schemas }, message)]);
}

/** Names that only other forms have. */
export function namesMissing(forms: readonly Form[], form: Form): string[] {
  const formNames = new Set(namesOf(form));
  return [...new Set(forms.flatMap(namesOf))].filter((name) => !formNames.has(name));
}

const without = (names: readonly string[]) => (names.length === 0 ? {} : { not: anyOfNames(names) });

/**
 * Groups of properties, of which exactly one must be given as a whole: `businessId`, or `sourceSystem` with
 * `sourcePKey`.
 *
 * @param forms the property names of each form, by its name; the object itself requires none
 * @param messages for no form, for several forms, and for a part of a form
 * @example
 * Type.Object(
 *   { search: Type.Optional(...), fields: Type.Optional(...) },
 *   exactlyOneOf({ SearchByText: ['search'], SearchByFields: ['fields'] }, { none, several }),
 * )
 */
export function exactlyOneOf(
  forms: Readonly<Record<string, readonly string[]>>,
  messages: { none: string; several: string; part?: string },
): Choice {
  const groups = Object.values(forms);
  const pairs = groups.flatMap((group, at) => groups.slice(at + 1).map((other) => [group, other] as const));
  const together = Object.fromEntries(
    groups.flatMap((group) => group.map((name) => [name, group.filter((other) => other !== name)] as const)),
  );
  return choiceOf(
    Object.entries(forms).map(([name, required]) => ({ name, required })),
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

/** Combines choices about different properties of an object. */
export function choices(...all: readonly Choice[]): Choice {
  return {
    'x-alternatives': all.flatMap((choice) => choice['x-alternatives']),
    allOf: all.flatMap(({ allOf }) => allOf),
  };
}
