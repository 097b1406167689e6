import type { Deadline } from '../../core/deadline.ts';
import { ConnectorError } from '../../core/errors.ts';
import { textOf } from './response.ts';
import type { HttpResponse } from './transport.ts';

/*
 * What ends a read over all pages before the last one.
 */

/** The most that Lambda returns, less a margin for the rest of the response. */
export const MAX_PAGES_BYTES = 6 * 1024 * 1024 - 64 * 1024;

/** Size of a page as API Gateway carries it, a JSON text inside JSON. */
export function bytesOf(response: HttpResponse): number {
  return Buffer.byteLength(JSON.stringify(textOf(response)));
}

/** A timeout with less than this left, in milliseconds, was the deadline's. */
const NO_TIME_MS = 50;

/** Whether a page failed because the time of the invocation is up, so that the pages before are worth returning. */
export function isOutOfTime(error: unknown, deadline: Deadline): boolean {
  return error instanceof ConnectorError && error.type === 'MDM:TIMEOUT' && deadline.remainingMs() < NO_TIME_MS;
}
