import { ConnectorError, type ErrorOptions } from '../core/errors.ts';
import { requestIdOf, textOf } from './response.ts';
import type { HttpResponse } from './transport.ts';

interface ErrorBody {
  errorCode?: unknown;
  errorSummary?: unknown;
  errorDetail?: { details?: unknown };
  code?: unknown;
  message?: unknown;
  description?: unknown;
  error?: ErrorBody;
}

const MAX_DESCRIPTION = 1000;

/**
 * The error of an answer that is no success.
 *
 * @param secrets values of the call, record keys above all, that the API may repeat in its description
 */
export function errorOf(answer: HttpResponse, secrets: readonly string[]): ConnectorError {
  const { status } = answer;
  const body = bodyOf(answer);
  const options = {
    upstreamStatus: status,
    upstreamCode: codeOf(body),
    upstreamRequestId: requestIdOf(answer, body),
    retryAfterMs: retryAfterOf(answer),
  };
  const told = `The master data API answered ${status}${describe(body, secrets)}`;
  if (status >= 500) return new ConnectorError('MDM:SERVER_ERROR', told, options);
  if (status >= 400) {
    return new ConnectorError('MDM:CLIENT_ERROR', told, { ...options, status: status === 401 ? 502 : status });
  }
  const redirected = 'The master data API redirected to another address, which is not followed';
  return new ConnectorError('MDM:CONNECTIVITY', redirected, { ...options, retryable: false });
}

/** The error of a login that is no success: the caller's credentials are not at fault, so a refusal is a 502. */
export function loginErrorOf(answer: HttpResponse): ConnectorError {
  if (answer.status < 400 || answer.status >= 500) return errorOf(answer, []);
  const body = bodyOf(answer);
  return loginRefused({
    upstreamStatus: answer.status,
    upstreamCode: codeOf(body),
    upstreamRequestId: requestIdOf(answer, body),
    retryAfterMs: retryAfterOf(answer),
  });
}

/** The error of a login whose credentials were refused. */
export function loginRefused(details: ErrorOptions): ConnectorError {
  const message = 'The master data API refused the login of the configuration';
  return new ConnectorError('MDM:CLIENT_ERROR', message, { ...details, status: 502 });
}

/** Retry-After, in seconds or as a date, in milliseconds from now. */
export function retryAfterOf({ headers }: HttpResponse): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** A body in one of the known shapes, or nothing: gateways answer empty or with HTML. */
function bodyOf(answer: HttpResponse): ErrorBody {
  try {
    const body: unknown = JSON.parse(textOf(answer));
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

function codeOf({ errorCode, code, error }: ErrorBody): string | undefined {
  const value = errorCode ?? code ?? error?.code;
  return typeof value === 'string' && /^[\w.:-]{1,64}$/.test(value) ? value : undefined;
}

/** What the API says was wrong, without the values of the call. */
function describe(
  { errorSummary, description, message, error, errorDetail }: ErrorBody,
  secrets: readonly string[],
): string {
  const details = Array.isArray(errorDetail?.details) ? (errorDetail.details as { message?: unknown }[]) : [];
  const told = [errorSummary ?? description ?? message ?? error?.message, ...details.map((detail) => detail?.message)];
  const lines = told.filter((line) => typeof line === 'string' && line !== '').join('; ');
  if (lines === '') return '';
  return `: ${withoutSecrets(lines, secrets).slice(0, MAX_DESCRIPTION)}`;
}

/** Puts `…` in place of whole words that are secrets: a key `1` leaves the 1 of `HTTP 401` alone. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const longestFirst = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return text;
  const words = longestFirst.map((secret) => secret.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  return text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])(${words})(?![\\p{L}\\p{N}])`, 'gu'), '…');
}
