import { textOfValue } from './parameter-values.ts';
import { PARAMETER_NAMES, type Deployment } from './parameters.ts';

/** The parameters of a stack, as its template's `Metadata` holds them. */
export interface StoredParameters {
  /** The version that deployed the stack; undefined for one that stored nothing. */
  readonly version?: string;
  /** The commit of the checkout that deployed it, with `+changes` if files differed; undefined if it is not known. */
  readonly commit?: string;
  /** Every parameter that has a value, as text. */
  readonly effective: Readonly<Record<string, string>>;
  /** Names of those that were given; the others had their default. */
  readonly given: readonly string[];
}

/** The parameters of a deployment, to be stored in its template with what is deployed. */
export function storedParametersOf(
  deployment: Deployment,
  deployed: Pick<StoredParameters, 'version' | 'commit'> = {},
): StoredParameters {
  const texts = PARAMETER_NAMES.map((name) => [name, textOfValue(deployment[name as keyof Deployment])] as const);
  const effective = Object.fromEntries(texts.filter(([, text]) => text !== undefined)) as Record<string, string>;
  return { ...deployed, effective, given: [...deployment.given].sort() };
}

/** A parameter whose value differs from that of the deployed stack. */
export interface ParameterChange {
  readonly name: string;
  /** Its value in the deployed stack, and in the new deployment; undefined if it has none. */
  readonly from?: string;
  readonly to?: string;
  /** Whether a value that was given is lost: nothing is given now, and so the default returns. */
  readonly isReset: boolean;
}

/** What a deployment changes of the stack's parameters. */
export function changesOf(before: StoredParameters, after: StoredParameters): ParameterChange[] {
  const changed = PARAMETER_NAMES.filter((name) => before.effective[name] !== after.effective[name]);
  return changed.map((name) => ({
    name,
    from: before.effective[name],
    to: after.effective[name],
    isReset: before.given.includes(name) && !after.given.includes(name),
  }));
}
