import type { Context } from 'aws-lambda';
import type { Operation } from '../contract/operation.ts';
import { currentSpan, withSpan, type SpanOptions } from '../core/span.ts';
import type { Problem } from '../core/problem.ts';
import { callerSpan } from '../core/trace.ts';
import { isHttpEvent } from './request.ts';

/** Of a run of the consumer: CONSUMER; of all other operations: SERVER. */
export type OperationKind = 'SERVER' | 'CONSUMER';

/** Runs an operation in its span, below the caller's, or below the one that a layer made of the invocation. */
export function withOperationSpan(
  operation: Operation,
  kind: OperationKind,
  { event, context }: { event: unknown; context: Context },
  work: () => Promise<unknown>,
): Promise<unknown> {
  return withSpan(
    () => describe(operation, kind, event, context),
    async (span) => {
      const result = await work();
      if (span && isHttpEvent(event)) {
        span.set({ 'http.response.status_code': (result as { statusCode: number }).statusCode });
      }
      return result;
    },
  );
}

function describe({ name }: Operation, kind: OperationKind, event: unknown, { awsRequestId }: Context): SpanOptions {
  const route = isHttpEvent(event) ? event.routeKey : undefined; // `POST /stream/xadd`
  const [method, path] = route?.split(' ') ?? [];
  return {
    name: route ?? name,
    kind,
    attributes: {
      'faas.invocation_id': awsRequestId,
      'faas.trigger': route === undefined ? 'other' : 'http',
      'mdm_stream.operation': name,
      'http.request.method': method,
      'http.route': path,
    },
    parent: callerSpan(),
  };
}

/** Notes the error of an HTTP call. A call that the caller should mend is no failure of the operation. */
export function noteProblem({ type, status }: Problem): void {
  const span = currentSpan();
  if (status >= 500) span?.fail(type);
  else span?.set({ 'error.type': type });
}
