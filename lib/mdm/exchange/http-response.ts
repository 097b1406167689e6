/** What is read of response headers; names in any case. */
export interface ResponseHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null;
  delete(name: string): void;
}

/** A response with its whole body, decompressed: a multi-byte character may lie across two chunks. */
export interface HttpResponse {
  readonly status: number;
  /** The words after the status, `Not Found`. */
  readonly reason: string;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}
