import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { registry } from '#functions/registry.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { ROOT } from './root.ts';

/** A function to deploy. */
export interface DeployedFunction {
  /** Its key: the function's name without service and stage. */
  readonly name: string;
  /** Source file of its handler. */
  readonly handler: string;
  readonly description: string;
  /** Its contract, if it is an operation. */
  readonly operation?: Operation;
  /** Its routes, `GET /docs`, if it is not an operation. */
  readonly routes?: readonly string[];
}

/** Every path that no other route has. */
export const REST = '/{proxy+}';

/** Functions that serve documents, and have no contract. */
const DOCUMENTS = [
  {
    name: 'api-openapi',
    description: 'The OpenAPI document of the HTTP API, and a problem for any route that it lacks',
    routes: ['GET /openapi.json', ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${REST}`)],
  },
  {
    name: 'api-docs',
    description: 'A page to try every operation on',
    routes: ['GET /', 'GET /docs', 'GET /docs/{proxy+}'],
  },
];

const operations = registry.map((operation) => ({
  name: operation.name,
  description: operation.summary,
  operation,
}));

/** Every function of the bundle: the operations of the registry, and the documents. */
export const functions: readonly DeployedFunction[] = [...operations, ...DOCUMENTS].map((entry) => ({
  ...entry,
  handler: handlerOf(entry.name),
}));

/** Operations of the consumer are named by their connector as all others, and stand in a folder of their own. */
function handlerOf(name: string): string {
  const path = `functions/${name.replace('-', '/')}/handler.ts`;
  return existsSync(join(ROOT, path)) ? path : path.replace(/^functions\/\w+/, 'functions/consumer');
}
