import type { Deadline } from '../../core/deadline.ts';
import { ConnectorError } from '../../core/errors.ts';
import { textOf } from './response.ts';
import type { HttpResponse } from './transport.ts';

/*
 * Limits that end a read of all pages early.
 */

/** The largest output, less a margin for the rest of the response. */
export const MAX_PAGES_BYTES = 6 * 1024 * 1024 - 64 * 1024;

/** Size of a page inside an API Gateway response, as JSON text inside JSON. */
export function bytesOf(response: HttpResponse): number {
  return Buffer.byteLength(JSON.stringify(textOf(response)));
}

/** A timeout with less time left than this, in milliseconds, was caused by the deadline. */
const NO_TIME_MS = 50;

/** Whether a page failed because the invocation has no time left, so that earlier pages should be returned. */
export function isOutOfTime(error: unknown, deadline: Deadline): boolean {
  return error instanceof ConnectorError && error.type === 'MDM:TIMEOUT' && deadline.remainingMs() < NO_TIME_MS;
}
