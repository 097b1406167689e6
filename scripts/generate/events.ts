import { readFileSync } from 'node:fs';
import type { Operation } from '../../lib/contract/operation.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

const captured = JSON.parse(
  readFileSync(new URL('../../events/captured/http-api-v2.json', import.meta.url), 'utf8'),
) as { requestContext: { http: object }; headers: object };

/**
 * A sample event an operation: what API Gateway sends for the contract's example, or the input of a schedule for a
 * function without a route.
 */
export function eventFiles(registry: readonly Operation[]): GeneratedFile[] {
  return registry.map((operation) => ({
    path: `events/${operation.name}.json`,
    contents: JSON.stringify(operation.deploy.http ? gatewayEvent(operation) : operation.example.input),
  }));
}

function gatewayEvent({ route, example }: Operation) {
  const body = JSON.stringify(example.input);
  const routeKey = `POST ${route}`;
  return {
    '//': GENERATED,
    ...captured,
    routeKey,
    rawPath: route,
    headers: { ...captured.headers, 'content-length': String(Buffer.byteLength(body)) },
    requestContext: {
      ...captured.requestContext,
      routeKey,
      http: { ...captured.requestContext.http, path: route },
    },
    body,
  };
}
