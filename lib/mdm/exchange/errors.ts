import { ConnectorError, type ErrorOptions } from '../../core/errors.ts';
import type { HttpResponse } from './http-response.ts';
import { maskSecrets } from '../masking/masking.ts';
import { requestIdOf, textOf } from './response.ts';
import { retryAfterOf } from './retry-after.ts';

interface ErrorBody {
  errorCode?: unknown;
  errorSummary?: unknown;
  errorDetail?: { details?: unknown } | null;
  code?: unknown;
  message?: unknown;
  description?: unknown;
  error?: ErrorBody | null;
}

const MAX_DESCRIPTION = 1000;
/** What is read of a body that may be anything; an error is far shorter. */
const MAX_BODY = 64 * 1024;

/**
 * The error of a response that is no success.
 *
 * @param secrets values of the call that the API may repeat in its description, as `maskSecrets` takes them
 */
export function errorOf(response: HttpResponse, secrets: readonly unknown[]): ConnectorError {
  const { status } = response;
  const { description, ...options } = optionsOf(response, secrets);
  const message = `The master data API answered ${status}${description}`;
  if (status >= 500 || status === 304) return new ConnectorError('MDM:SERVER_ERROR', message, options);
  if (status >= 400) {
    return new ConnectorError('MDM:CLIENT_ERROR', message, { ...options, status: status === 401 ? 502 : status });
  }
  const redirected = 'The master data API redirected to another address, which is not followed';
  return new ConnectorError('MDM:CONNECTIVITY', redirected, { ...options, retryable: false });
}

/**
 * The error of a login that is no success: the caller's credentials are not at fault, so a refusal is a 502.
 *
 * @param secrets the credentials
 */
export function loginErrorOf(response: HttpResponse, secrets: readonly string[]): ConnectorError {
  if (response.status < 400 || response.status >= 500) return errorOf(response, secrets);
  return loginRefused(optionsOf(response, secrets));
}

/** The error of a login whose credentials were refused. */
export function loginRefused(details: ErrorOptions): ConnectorError {
  const { upstreamStatus, upstreamCode, upstreamRequestId, retryAfterMs } = details;
  const message = 'The master data API refused the login of the configuration';
  const options = { upstreamStatus, upstreamCode, upstreamRequestId, retryAfterMs, status: 502 };
  return new ConnectorError('MDM:CLIENT_ERROR', message, options);
}

function optionsOf(response: HttpResponse, secrets: readonly unknown[]) {
  const body = bodyOf(response);
  const [upstreamCode, upstreamRequestId, description = ''] = maskLines(
    [codeOf(body) ?? '', idOf(requestIdOf(response, body)), descriptionOf(body).slice(0, 2 * MAX_DESCRIPTION)],
    secrets,
  );
  return {
    upstreamStatus: response.status,
    upstreamCode,
    upstreamRequestId,
    retryAfterMs: retryAfterOf(response.headers.get('retry-after')),
    description: description === '' ? '' : `: ${description.slice(0, MAX_DESCRIPTION)}`,
  };
}

/** A body in one of the known shapes, or nothing: gateways respond empty or with HTML. */
function bodyOf(response: HttpResponse): ErrorBody {
  if (response.body.length > MAX_BODY) return {};
  try {
    const body: unknown = JSON.parse(textOf(response));
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

function codeOf({ errorCode, code, error }: ErrorBody): string | undefined {
  const value = errorCode ?? code ?? error?.code;
  return typeof value === 'string' && /^[\w.:-]{1,64}$/.test(value) ? value : undefined;
}

/** What the API says was wrong. */
function descriptionOf({ errorSummary, description, message, error, errorDetail }: ErrorBody): string {
  const details = Array.isArray(errorDetail?.details) ? (errorDetail.details as ({ message?: unknown } | null)[]) : [];
  const lines = [errorSummary ?? description ?? message ?? error?.message, ...details.map((detail) => detail?.message)];
  return lines.filter((line) => typeof line === 'string' && line !== '').join('; ');
}

/** A request id as an operator can search for it. */
const idOf = (id = '') => (/^[\x21-\x7e]{1,256}$/.test(id) ? id : '');

/**
 * Code, request id and description without the values of the call. A code or an id is left out where it repeats one, and
 * everything where the values are too many to be sure.
 */
function maskLines([code = '', id = '', description = '']: string[], secrets: readonly unknown[]) {
  if (code === '' && id === '' && description === '') return [];
  const [maskedCode, maskedId, ...lines] = maskSecrets([code, id, description].join('\n'), secrets)?.split('\n') ?? [];
  return [
    code !== '' && maskedCode === code ? code : undefined,
    id !== '' && maskedId === id ? id : undefined,
    lines.join('\n'),
  ];
}
