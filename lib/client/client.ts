import { parseExact } from '../core/json.ts';
import { transportError } from './error.ts';
import type { Operations } from './operations.generated.ts';
import { readEntries, readRecords, type EntriesInput, type RecordsInput, type StreamEntry } from './pages.ts';
import { withRetries } from './retry.ts';
import type { Transport } from './transport.ts';

/** Name of an operation: `mdm-master-read`, `stream-xadd`. */
export type OperationName = keyof Operations;

/** The parameters of an operation. */
export type InputOf<Name extends OperationName> = Operations[Name]['input'];

/** The output of an operation. */
export type OutputOf<Name extends OperationName> = Operations[Name]['output'];

export interface CallOptions {
  /** Aborts the call, its retries and their pauses: it rejects with the signal's reason. */
  signal?: AbortSignal;
  /**
   * How often a call is made again whose error is `retryable`. Default 0. Mind operations that are not idempotent: after
   * a 503 or 504 an XADD may have added its entry, and would add it twice.
   */
  retries?: number;
}

export interface Client {
  /**
   * Calls an operation and waits for its output.
   *
   * @throws {OperationError} with the fields of the operation's error; of type `CLIENT:TRANSPORT` where none responded.
   * @example
   * const id = await client.invoke('stream-xadd', { key: 'orders', entry: { sku: '1' } });
   */
  invoke<Name extends OperationName>(name: Name, input: InputOf<Name>, options?: CallOptions): Promise<OutputOf<Name>>;

  /**
   * The entries of a stream from `start` (default `-`) to `end` (default `+`), read page by page.
   *
   * @example
   * for await (const { id, entry } of client.entries({ key: 'orders' })) console.log(id, entry);
   */
  entries(input: EntriesInput, options?: CallOptions): AsyncGenerator<StreamEntry, void, undefined>;

  /**
   * The records that a search finds, read page by page. The API reaches 10,000 records: where more match, the error that
   * it gives for the page beyond is thrown.
   *
   * @example
   * for await (const record of client.records({ businessEntity: 'c360.city', search: '*' })) console.log(record);
   */
  records(input: RecordsInput, options?: CallOptions): AsyncGenerator<Record<string, unknown>, void, undefined>;
}

/**
 * A typed client of the operations. Numbers beyond 2^53 arrive as their digits (`JSON.rawJSON`), which `JSON.stringify`
 * and `String(JSON.stringify(value))` write unchanged.
 *
 * @param transport how calls travel: `httpTransport` or `lambdaTransport`
 * @param defaults options of every call, which a call may override
 * @example
 * const client = createClient(httpTransport({ url: 'http://localhost:3000' }), { retries: 3 });
 * const id = await client.invoke('stream-xadd', { key: 'orders', entry: { sku: '1' } });
 */
export function createClient(transport: Transport, defaults: CallOptions = {}): Client {
  const invoke: Client['invoke'] = async (name, input, options) => {
    const { signal, retries = 0 } = { ...defaults, ...options };
    const payload = JSON.stringify(input);
    const text = await withRetries(retries, () => transport.send(name, payload, signal), signal);
    return parseOutput(name, text) as never;
  };
  return {
    invoke,
    entries: (input, options) => readEntries((page) => invoke('stream-xrange', page, options), input),
    records: (input, options) => readRecords((page) => invoke('mdm-search', page, options), input),
  };
}

function parseOutput(name: string, text: string): unknown {
  try {
    return text === '' ? null : parseExact(text);
  } catch (cause) {
    throw transportError(name, 'The response is not JSON', { status: 502, retryable: false, cause });
  }
}
