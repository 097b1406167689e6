import type { DeployedTemplate } from '#deploy/deployed-parameters.ts';
import type { StoredParameters } from '#deploy/parameter-changes.ts';

/** A deployed stack, as AWS tells it. */
export interface DeployedStack {
  readonly service: string;
  readonly stage: string;
  readonly region: string | undefined;
  readonly template: DeployedTemplate;
  readonly parameters: StoredParameters;
  /** Ids of its resources in AWS, by their logical ids. */
  readonly ids: ReadonlyMap<string, string>;
  readonly createdAt: Date;
}
