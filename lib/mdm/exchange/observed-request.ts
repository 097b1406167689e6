import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/*
 * node-fetch resolves with the headers of a response. If the connection fails after them, it does not say so, and
 * returns the part of the body that had arrived as if it were whole. Node announces each request on a documented
 * channel, and the request has the missing facts.
 */

/** Node's default is 16 kB. Neither node-fetch nor an agent has an option for this. */
const MAX_HEADER_BYTES = 64 * 1024;

/** A request of Node. */
export interface ObservedRequest {
  /** The fault of its connection. */
  readonly fault?: Error & { readonly code?: string };
  /** Whether a part of it may have reached the server: its connection was open. */
  readonly mayBeSent: boolean;
  /** Whether the response is complete, by its framing. */
  readonly isComplete: boolean;
  /** Called when the request ends without a response or an error: the server asked for another protocol. */
  onLost?: () => void;
}

class Observed implements ObservedRequest {
  fault?: Error;
  mayBeSent = false;
  isWatching = false;
  onLost?: () => void;
  #response?: IncomingMessage;

  get isComplete(): boolean {
    return this.#response?.complete === true;
  }

  watch(request: ClientRequest): void {
    this.isWatching = true;
    request
      .on('socket', (socket) => this.#noteOpen(socket, request.reusedSocket))
      .on('response', (response) => (this.#response = response))
      .on('error', (error) => (this.fault = error))
      .on('close', () => this.#response ?? this.fault ?? this.onLost?.());
  }

  #noteOpen(socket: Socket, isReused: boolean): void {
    const opening = socket instanceof TLSSocket ? 'secureConnect' : socket.connecting ? 'connect' : undefined;
    if (isReused || !opening) this.mayBeSent = true;
    else socket.once(opening, () => (this.mayBeSent = true));
  }
}

/** The call whose request is to be observed. */
const observing = new AsyncLocalStorage<Observed>();

subscribe('http.client.request.created', (message) => {
  const { request } = message as { request: ClientRequest & { maxHeaderSize?: number } };
  const observed = observing.getStore();
  if (!observed || observed.isWatching || request.method === 'CONNECT') return; // another's, or that of the tunnel
  request.maxHeaderSize = MAX_HEADER_BYTES;
  observed.watch(request);
});

/** Observes the first request that a function makes. */
export function observe<T>(send: () => T): { readonly sent: T; readonly request: ObservedRequest } {
  const request = new Observed();
  return { sent: observing.run(request, send), request };
}
