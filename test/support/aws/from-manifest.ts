import type { Manifest } from '#deploy/manifest.schema.ts';

/** Values of a manifest's placeholders; several for a parameter that is a list. */
export type Values = Readonly<Record<string, string | number | readonly string[]>>;

/** A text with its placeholders replaced: once for each value of a parameter that is a list. */
export function fill(text: string, values: Values): string[] {
  const [, name] = [...text.matchAll(/\{(\w+)\}/g)].find(([, name]) => Array.isArray(values[name!])) ?? [];
  const texts = name === undefined ? [text] : (values[name] as string[]).map((one) => withItem(text, `{${name}}`, one));
  return texts.map((one) => one.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole)));
}

function withItem(text: string, list: string, item: string): string {
  return (item.startsWith('arn:') ? text.slice(text.indexOf(list)) : text).replaceAll(list, item);
}

/** Whether a function is there, if one is named: a reader deploys all or some. */
type IsBeside = (name: string | undefined) => boolean;
const besideAll: IsBeside = () => true;

/** The variables of every function, as a reader of the manifest finds them. */
export function variablesOf({ environment }: Manifest, values: Values, isBeside = besideAll): Record<string, string> {
  const isGiven = ({ when, contains = '', beside }: Manifest['environment'][number]) =>
    (when === undefined || (values[when] !== undefined && String(values[when]).includes(contains))) && isBeside(beside);
  return Object.fromEntries(environment.filter(isGiven).map(({ name, value }) => [name, value]));
}

/** The rights of a function, a line each, as a reader of the manifest finds them. */
export function rightsOf(manifest: Manifest, name: string, values: Values, isBeside = besideAll): string[] {
  const { needs } = manifest.functions.find((one) => one.name === name)!;
  const needed = needs
    .map((need) => manifest.needs[need]!)
    .filter(({ when, beside }) => (when === undefined || values[when]) && isBeside(beside));
  const rights = needed
    .flatMap((need) => need.statements)
    .flatMap(({ Effect, Action, Resource, Condition = {} }) =>
      [Action]
        .flat()
        .flatMap((action) =>
          [Resource]
            .flat()
            .flatMap((resource) =>
              fill(resource, { ...values, function: name }).map((one) =>
                rightOf(Effect, action, one, filled(Condition, { ...values, function: name })),
              ),
            ),
        ),
    );
  return [...new Set(rights)].sort();
}

/** The properties of the alarms of a deployment, as a reader of the manifest finds them. */
export function alarmsOf({ alarms }: Manifest, values: Values, isBeside = besideAll): object[] {
  const configRefs = values.configRefs as readonly string[];
  const situation: Values = { ...values, configRefs: configRefs.length > 1 ? 'several' : 'one' };
  const wanted = alarms.filter(
    ({ beside, only = {} }) =>
      (beside === undefined || beside.some(isBeside)) &&
      Object.entries(only).every(([name, allowed]) => allowed.includes(String(situation[name]))),
  );
  return wanted.flatMap(({ properties }) => {
    const text = JSON.stringify(properties);
    const of = text.includes('{configRef}') ? configRefs : [''];
    return of.map((configRef) => JSON.parse(fill(text, { ...values, configRef })[0]!) as object);
  });
}

export const rightOf = (effect: string, action: string, resource: string, condition: object = {}) =>
  `${effect} ${action} on ${resource} if ${JSON.stringify(condition)}`;

const filled = (condition: object, values: Values): object =>
  JSON.parse(fill(JSON.stringify(condition), values)[0]!) as object;
