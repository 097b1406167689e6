import { httpEvent } from '#sandbox/aws/http-event.ts';
import type { Operation } from '#lib/contract/operation.ts';
import { GENERATED, type GeneratedFile } from './generated-file.ts';

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
  const headers = { 'content-length': String(Buffer.byteLength(body)) };
  return { '//': GENERATED, ...httpEvent('POST', route, body, headers) };
}
