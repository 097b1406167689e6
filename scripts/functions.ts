import { registry } from '../functions/registry.ts';

/** A function to deploy. */
export interface DeployedFunction {
  /** Its key: the function's name without service and stage. */
  readonly name: string;
  /** Source file of its handler. */
  readonly handler: string;
}

/** Functions that serve documents rather than an operation, so they have no contract. */
const DOCUMENT_FUNCTIONS = ['api-openapi', 'api-docs'];

/** Every function of the bundle: the operations of the registry, and the documents. */
export const functions: readonly DeployedFunction[] = [...registry.map(({ name }) => name), ...DOCUMENT_FUNCTIONS].map(
  (name) => ({ name, handler: `functions/${name.replace('-', '/')}/handler.ts` }),
);
