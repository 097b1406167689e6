import { existsSync } from 'node:fs';
import { registry } from '../functions/registry.ts';

/** A function to deploy. */
export interface DeployedFunction {
  /** Its key: the function's name without service and stage. */
  readonly name: string;
  /** Its handler's source. */
  readonly handler: string;
}

/** Rooms that serve documents rather than an operation, so that they have no contract. */
const DOCUMENT_ROOMS = ['api-openapi', 'api-docs'];

/** Every function of the bundle: the operations of the registry, and the documents. */
export const functions: readonly DeployedFunction[] = [...registry.map(({ name }) => name), ...DOCUMENT_ROOMS].map(
  (name) => ({ name, handler: handlerOf(name) }),
);

/** Rooms lie by connector, those of the consumer in a house of their own. */
function handlerOf(name: string): string {
  const [connector, operation] = [name.slice(0, name.indexOf('-')), name.slice(name.indexOf('-') + 1)];
  const candidates = [connector, 'consumer'].map((house) => `functions/${house}/${operation}/handler.ts`);
  const found = candidates.find((path) => existsSync(new URL(`../${path}`, import.meta.url)));
  if (!found) throw new Error(`${name} has no handler: expected ${candidates.join(' or ')}`);
  return found;
}
