import type { Context } from 'aws-lambda';
import { traceFrom, type Trace } from '../core/trace.ts';
import { xrayHeader } from '../config/config.ts';
import { isHttpEvent } from './request.ts';

/**
 * The trace of an invocation: from the headers of an HTTP call (`traceparent`, `tracestate`, `x-correlation-id`), from
 * the `ClientContext` of an invoking Lambda (`{"custom": {"traceparent": …, "correlationId": …}}`), or from X-Ray.
 */
export function traceOf(event: unknown, { awsRequestId: requestId, clientContext }: Context): Trace {
  const xray = xrayHeader();
  if (isHttpEvent(event)) {
    const { traceparent, tracestate, 'x-correlation-id': correlationId } = event.headers ?? {};
    return traceFrom({ traceparent, tracestate, correlationId, xray, requestId });
  }
  const { traceparent, tracestate, correlationId } = customOf(clientContext);
  return traceFrom({ traceparent, tracestate, correlationId, xray, requestId });
}

interface Custom {
  traceparent?: unknown;
  tracestate?: unknown;
  correlationId?: unknown;
}

/** The SDKs write `custom`; the runtime's types say `Custom`. */
function customOf(clientContext: unknown): Custom {
  const { custom, Custom } = (clientContext ?? {}) as { custom?: Custom | null; Custom?: Custom | null };
  return custom ?? Custom ?? {};
}
