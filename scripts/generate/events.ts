import { readFileSync } from 'node:fs';
import type { Operation } from '../../lib/contract/operation.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

const captured = JSON.parse(
  readFileSync(new URL('../../events/captured/http-api-v2.json', import.meta.url), 'utf8'),
) as { requestContext: { http: object }; headers: object };

/**
 * Sample events of each way in: what API Gateway sends for the contract's example, and in `direct/` the payload of
 * another Lambda; for an operation without a route, the input of its schedule.
 */
export function eventFiles(registry: readonly Operation[]): GeneratedFile[] {
  return registry.flatMap((operation) => {
    const { name, deploy, example } = operation;
    const direct = JSON.stringify(example.input);
    if (!deploy.http) return [{ path: `events/${name}.json`, contents: direct }];
    return [
      { path: `events/${name}.json`, contents: JSON.stringify(gatewayEvent(operation)) },
      { path: `events/direct/${name}.json`, contents: direct },
    ];
  });
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
