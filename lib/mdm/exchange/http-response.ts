/** Reads response headers, by names in any case. */
export interface ResponseHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null;
  delete(name: string): void;
}

export type Purpose = 'login' | 'token' | 'api';

/** What was requested, and what for: the login, a token for it, or the API itself. */
export interface Requested {
  readonly url: string;
  /** Default: the API. */
  readonly purpose?: Purpose;
}

/** A response with its whole body, decompressed. */
export interface HttpResponse {
  readonly status: number;
  /** The reason phrase, `Not Found`. */
  readonly reason: string;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
  /** The request, for errors. */
  readonly request?: Requested;
}
