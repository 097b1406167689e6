import { withSpan } from '../../core/span.ts';
import type { HttpResponse } from './http-response.ts';

/** Statuses from this one on are failures of a client's span. */
const FAILED = 400;

/**
 * Sends a request in its span, which has the method, the server and the status. Path and query stay out, because they
 * contain keys.
 *
 * @param send makes the headers too, so that they continue this span
 */
export function withRequestSpan(method: string, url: string, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
  return withSpan(
    () => {
      const { hostname, port, protocol } = new URL(url);
      const attributes = {
        'http.request.method': method,
        'server.address': hostname,
        'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      };
      return { name: method, kind: 'CLIENT', attributes };
    },
    async (span) => {
      const response = await send();
      span?.set({ 'http.response.status_code': response.status });
      if (response.status >= FAILED) span?.fail(String(response.status));
      return response;
    },
  );
}
