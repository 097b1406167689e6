import fetch, { type Headers } from 'node-fetch';
import type { MdmConfig } from '../runtime/config.schema.ts';
import type { Deadline } from '../core/deadline.ts';
import { ConnectorError } from '../core/errors.ts';
import { agentFor } from './agents.ts';

export interface HttpCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** An answer with its whole body: a multi-byte character may lie across two chunks. */
export interface HttpResponse {
  readonly status: number;
  /** The words after the status, `Not Found`. */
  readonly reason: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

/**
 * One HTTP exchange, from the connect to the last byte of the body within `timeoutMs` and the deadline. Redirects are
 * answers like others: the session must not travel to another host.
 *
 * @throws {ConnectorError} `MDM:TIMEOUT`, or `MDM:CONNECTIVITY` with the fault's code alone: the client's own messages
 *   hold URLs, and URLs hold record keys.
 */
export async function exchange(call: HttpCall, config: MdmConfig, deadline: Deadline): Promise<HttpResponse> {
  const { method, url, headers, body } = call;
  const signal = AbortSignal.timeout(deadline.within(config.timeoutMs));
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      signal,
      redirect: 'manual',
      agent: agentFor(url, config),
    });
    return {
      status: response.status,
      reason: response.statusText,
      headers: response.headers,
      body: Buffer.from(await response.arrayBuffer()),
    };
  } catch (fault) {
    throw faultOf(fault, signal);
  }
}

function faultOf(fault: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new ConnectorError('MDM:TIMEOUT', 'The master data API did not answer in time');
  const code = codeOf(fault);
  if (code === undefined) return fault; // not of the network, so of ours
  return new ConnectorError('MDM:CONNECTIVITY', `The connection to the master data API failed (${code})`, {
    upstreamCode: code,
  });
}

/** `ECONNRESET`, `ENOTFOUND`, `CERT_HAS_EXPIRED`, … of a network fault. */
function codeOf(fault: unknown): string | undefined {
  const { name, code } = fault as { name?: string; code?: unknown };
  if (typeof code === 'string' && !code.startsWith('ERR_INVALID')) return code;
  return name === 'FetchError' ? 'UNKNOWN' : undefined;
}
