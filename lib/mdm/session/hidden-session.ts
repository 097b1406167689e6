import type { HttpResponse } from '../exchange/http-response.ts';

/** Response headers that callers must not see. */
const HIDDEN = ['set-cookie', 'set-cookie2', 'ids-session-id', 'infa-session-id', 'icsessionid', 'authorization'];

/** A response as callers see it: without cookies, and without the session if the API repeats it. */
export function withoutSession(
  response: HttpResponse,
  sessionIds: readonly string[],
  sessionHeader: string,
): HttpResponse {
  for (const name of [...HIDDEN, sessionHeader]) response.headers.delete(name);
  for (const [name, value] of [...response.headers]) {
    if (sessionIds.some((id) => value.includes(id))) response.headers.delete(name);
  }
  const repeated = sessionIds.filter((id) => response.body.includes(id));
  if (repeated.length === 0) return response;
  const text = repeated.reduce((body, id) => body.replaceAll(id, '***'), response.body.toString('latin1'));
  response.headers.delete('content-length');
  return { ...response, body: Buffer.from(text, 'latin1') };
}
