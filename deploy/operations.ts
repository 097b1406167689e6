import { fitsAny } from '#lib/invocation/access.ts';
import { functions } from '#scripts/build/functions.ts';
import type { Deployment } from './parameters.ts';

/** The function that schedules and the wake invoke. */
export const CONSUMER = 'stream-consumer';

/** The functions that `checkRate` invokes. */
export const CHECKS = ['mdm-check', 'stream-check'];

/** Whether a function is told which operations are deployed. */
export const knowsOperations = (name: string) => name === 'api-openapi' || CHECKS.includes(name);

/** The functions whose name matches a pattern; `*` stands for any characters. */
export function namesMatching(patterns: readonly string[]): string[] {
  return functions.map(({ name }) => name).filter((name) => fitsAny(patterns, name));
}

export function isDeployed(name: string, { operations }: Pick<Deployment, 'operations'>): boolean {
  return namesMatching(operations).includes(name);
}
