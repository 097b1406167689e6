import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/*
 * node-fetch settles its promise with the headers of a response. It does not say that the connection failed after them, and
 * hands on what had arrived of the body as if it were whole: of `{"name":"Zürich"}` with a length of 17 bytes, nothing.
 * Node announces each request on a documented channel, and the request has the rest.
 */

/** Node's default is 16 kB. Neither node-fetch nor an agent has an option for it. */
const MAX_HEADER_BYTES = 64 * 1024;

/** A request as Node sees it. */
export interface ObservedRequest {
  /** What failed on its connection. */
  readonly fault?: Error & { readonly code?: string };
  /** Whether a response was received to its end, as its framing says. */
  readonly isComplete: boolean;
  /** Called once the request is over without a response and without an error: the server asked for another protocol. */
  onLost?: () => void;
}

class Observed implements ObservedRequest {
  fault?: Error;
  onLost?: () => void;
  #response?: IncomingMessage;

  get isComplete(): boolean {
    return this.#response?.complete === true;
  }

  watch(request: ClientRequest): void {
    request
      .on('response', (response) => (this.#response = response))
      .on('error', (error) => (this.fault = error))
      .on('close', () => this.#response ?? this.fault ?? this.onLost?.());
  }
}

/** Of the call that is about to make its request, in this turn of the event loop. */
let next: Observed | undefined;

subscribe('http.client.request.created', (message) => {
  const { request } = message as { request: ClientRequest & { maxHeaderSize?: number } };
  if (!next || request.method === 'CONNECT') return; // somebody else's, or for the tunnel that the request is to go through
  request.maxHeaderSize = MAX_HEADER_BYTES;
  next.watch(request);
  next = undefined;
});

/** Observes the one request that a function makes before it returns. */
export function observe<T>(send: () => T): { readonly sent: T; readonly request: ObservedRequest } {
  const request = new Observed();
  next = request;
  try {
    return { sent: send(), request };
  } finally {
    next = undefined;
  }
}
