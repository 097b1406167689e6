/** The response of a route. */
export interface SandboxResponse {
  status: number;
  headers?: Record<string, string>;
  /** Sent as JSON; a string unchanged; undefined as an empty body. */
  body?: unknown;
}

/** A refusal in its service's shape. */
export class Refusal extends Error {
  readonly response: SandboxResponse;

  constructor(response: SandboxResponse) {
    super(`answered ${response.status}`);
    this.response = response;
  }
}

export const ok = (body: unknown, status = 200): SandboxResponse => ({ status, body });

/** An error of the MDM and search services. */
export function refusal(
  status: number,
  errorCode: string,
  errorSummary: string,
  details: { code: string; message: string }[] = [],
): Refusal {
  const errorId = `err-${Math.random().toString(36).slice(2, 10)}`;
  return new Refusal({ status, body: { errorCode, errorSummary, errorId, errorDetail: { details } } });
}

/** An error of the login. Each version has its own shape. */
export function loginRefusal(version: 'v2' | 'v3', status: number, code: string, message: string): Refusal {
  const body =
    version === 'v3'
      ? { error: { code, message, requestId: `login-${Math.random().toString(36).slice(2, 10)}`, details: null } }
      : { '@type': 'error', code: 'UI_10000', description: message, statusCode: status };
  return new Refusal({ status, body });
}
