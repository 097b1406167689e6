import { registry } from '../functions/registry.ts';
import type { Operation } from '../lib/contract/operation.ts';

/** A function to deploy. */
export interface DeployedFunction {
  /** Its key: the function's name without service and stage. */
  readonly name: string;
  /** Source file of its handler. */
  readonly handler: string;
  readonly description: string;
  /** Its contract, where it is an operation. */
  readonly operation?: Operation;
  /** Paths of the documents that it serves with GET, where it is none. */
  readonly documents?: readonly string[];
}

/** Functions that serve documents rather than an operation, so they have no contract. */
const DOCUMENTS = [
  { name: 'api-openapi', description: 'The OpenAPI document of the HTTP API', documents: ['/openapi.json'] },
  { name: 'api-docs', description: 'A page to try every operation on', documents: ['/', '/docs', '/docs/{proxy+}'] },
];

const operations = registry.map((operation) => ({
  name: operation.name,
  description: operation.summary,
  operation,
}));

/** Every function of the bundle: the operations of the registry, and the documents. */
export const functions: readonly DeployedFunction[] = [...operations, ...DOCUMENTS].map((entry) => ({
  ...entry,
  handler: `functions/${entry.name.replace('-', '/')}/handler.ts`,
}));
