import { describeCause } from '../../contract/causes.ts';
import { ConnectorError, type ErrorOptions, type UpstreamError } from '../../core/errors.ts';
import { retryAfterOf } from '../../core/retry-after.ts';
import type { HttpResponse } from './http-response.ts';
import { maskSecrets, SHORTEST_IN_CODE } from '../masking/masking.ts';
import { readErrorBody } from './error-body.ts';
import { serviceNameFirst } from './service-name.ts';

/** Values that a call must not show, in the form of `maskSecrets`. */
export interface Secrets {
  /** The session, and the record's values and keys. */
  readonly values: readonly unknown[];
  /** Texts of paths and headers, which may also be words of the API itself. */
  readonly words?: readonly string[];
}

const MAX_DESCRIPTION = 1000;
/** How much of a description is read: masking shortens it. */
const MAX_READ = 2 * MAX_DESCRIPTION;
/** At the cut of a description, a part of a value may remain unrecognised: at most this much. */
const CUT_VALUE = 64;
/** Longest text of a part of an error. */
const MAX_PART = 300;
/** 408: some gateways answer so when the service behind them is too slow. */
const GATEWAY_GAVE_UP = 408;

/**
 * The error for a response that is not a success.
 *
 * @param secrets values of the call that the API may repeat
 * @param more what is known besides the response
 */
export function errorOf(response: HttpResponse, secrets: Secrets, more: ErrorOptions = {}): ConnectorError {
  const { status } = response;
  const { description, ...own } = optionsOf(response, secrets);
  const options = { ...own, ...more };
  const message = `The master data API answered ${status}${description}`;
  if (status >= 500 || status === 304 || status < 200) return new ConnectorError('MDM:SERVER_ERROR', message, options);
  if (status >= 400) {
    const outcome = status === GATEWAY_GAVE_UP ? 'unknown' : 'refused';
    return new ConnectorError('MDM:CLIENT_ERROR', message, {
      ...options,
      status: status === 401 ? 502 : status,
      outcome,
    });
  }
  const redirected = 'The master data API redirected to another address, which is not followed';
  return new ConnectorError('MDM:CONNECTIVITY', redirected, { ...options, temporary: false, outcome: 'refused' });
}

/** The status for callers of a refusal that the API sent as a success. */
const REFUSED_STATUS = 422;

/** The error for a success whose body is an error: the API did not do what it was asked. */
export function refusalIn(response: HttpResponse, secrets: Secrets): ConnectorError {
  const { description, ...options } = optionsOf(response, secrets);
  const message = `The master data API answered ${response.status} with an error${description}`;
  return new ConnectorError('MDM:CLIENT_ERROR', message, { ...options, status: REFUSED_STATUS, outcome: 'refused' });
}

/**
 * The error for a failed login, with the service's own words. The caller's credentials are not at fault, so a refusal
 * is a 502.
 *
 * @param secrets the credentials
 */
export function loginErrorOf(response: HttpResponse, secrets: Secrets): ConnectorError {
  const { status, request, headers } = response;
  const { description: words, ...options } = optionsOf(response, secrets);
  if (status < 400 || status >= 500) return errorOf(response, secrets);
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const isElsewhere = status === 404 || status === 405;
  const { detail, hint } = describeCause(isElsewhere ? 'mdm-login-not-found' : 'mdm-login-refused', {
    place: serviceNameFirst(request),
    status: String(status),
    type: type && ` (${type})`,
    words,
  });
  return new ConnectorError('MDM:CLIENT_ERROR', detail, { ...options, hint, status: 502 });
}

/**
 * The error for a token endpoint that gave no token.
 *
 * @param secrets the credentials of the client
 */
export function tokenErrorOf(response: HttpResponse, secrets: Secrets): ConnectorError {
  const { status, request } = response;
  const { description: words, ...options } = optionsOf(response, secrets);
  const { detail, hint } = describeCause('mdm-token', {
    place: serviceNameFirst(request),
    status: String(status),
    words,
  });
  const isRefused = status >= 400 && status < 500;
  return new ConnectorError(isRefused ? 'MDM:CLIENT_ERROR' : 'MDM:SERVER_ERROR', detail, {
    ...options,
    hint,
    status: 502,
  });
}

/** The same for a refusal that another container met. */
export function loginRefused({ upstreamStatus, upstreamCode }: SharedRefusal): ConnectorError {
  const status = String(upstreamStatus ?? 'refused');
  const { detail, hint } = describeCause('mdm-login-refused', { place: 'The master data API', status, words: '' });
  return new ConnectorError('MDM:CLIENT_ERROR', detail, { upstreamStatus, upstreamCode, hint, status: 502 });
}

/** What containers tell each other of a refused login. */
interface SharedRefusal {
  readonly upstreamStatus?: number;
  readonly upstreamCode?: string;
}

function optionsOf(response: HttpResponse, secrets: Secrets) {
  const { code, requestId, description, parts } = readErrorBody(response);
  const values = [...secrets.values, ...(secrets.words ?? [])];
  const shown = maskDescription(description, values);
  return {
    upstreamStatus: response.status,
    upstreamCode: unlessRevealing(code, secrets),
    upstreamErrors: maskParts(parts, values),
    upstreamRequestId: unlessRevealing(requestId, secrets),
    retryAfterMs: retryAfterOf(response.headers.get('retry-after')),
    description: shown === '' ? '' : `: ${shown}`,
  };
}

/** A description without the values of the call; empty if there are too many values to mask reliably. */
function maskDescription(description: string, secrets: readonly unknown[]): string {
  if (description === '') return '';
  const read = description.slice(0, MAX_READ);
  const masked = maskSecrets(read, secrets) ?? '';
  const certain = read === description ? masked : masked.slice(0, -CUT_VALUE);
  return tidy(certain, MAX_DESCRIPTION);
}

/** A text in one line, of at most this many characters. */
function tidy(text: string, length: number): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, length)
    .toWellFormed();
}

/** Ends a text of a part, and a part, while all of them are masked as one text. */
const ENDS = { text: '\u0001', part: '\u0002' };

/** The parts of an error without the values of the call; none if they cannot be masked reliably. */
function maskParts(parts: readonly UpstreamError[], secrets: readonly unknown[]): UpstreamError[] {
  if (parts.length === 0) return [];
  const texts = parts.map(({ code = '', field = '', message }) => [code, field, message].map(cutForPart));
  const masked = maskSecrets(texts.map((part) => part.join(ENDS.text)).join(ENDS.part), secrets) ?? '';
  const shown = masked.split(ENDS.part).map((part) => part.split(ENDS.text));
  if (shown.length !== parts.length || shown.some(({ length }) => length !== 3)) return [];
  return shown.flatMap((part, index) => {
    const [code, field, message] = part.map((text, at) => tidy(withoutCut(text, texts[index]![at]!), MAX_PART));
    const isCode = code !== '' && !code!.includes('…');
    return message === '' ? [] : [{ ...(isCode && { code }), ...(field !== '' && { field }), message: message! }];
  });
}

const cutForPart = (text: string) => text.replaceAll(/[\u0001\u0002]/g, ' ').slice(0, MAX_PART + CUT_VALUE);
const withoutCut = (masked: string, { length }: string) =>
  length < MAX_PART + CUT_VALUE ? masked : masked.slice(0, -CUT_VALUE);

/** A code or a request id, unless it repeats a value of the call. A word without a digit reveals nothing. */
function unlessRevealing(text: string | undefined, { values, words = [] }: Secrets): string | undefined {
  if (text === undefined || values.includes(text)) return undefined;
  const revealing = [...values, ...words.filter((word) => /\d/.test(word))];
  return maskSecrets(text, revealing, SHORTEST_IN_CODE) === text ? text : undefined;
}
