import { parseExact } from '../core/json.ts';
import { isIdempotent } from '../core/idempotence.ts';
import { OperationError, transportError } from './error.ts';
import { IDEMPOTENCE } from './idempotence.generated.ts';
import type { FoundRecord, Operations } from './operations.generated.ts';
import { readEntries, readRecords, type EntriesInput, type RecordsInput, type StreamEntry } from './pages.ts';
import type { AnyRecords, EntityOf } from './records.ts';
import { withRetries } from './retry.ts';
import type { Transport } from './transport.ts';

/** The operation whose output has errors, one for each record that failed. */
const BATCH = 'mdm-source-submit-batch';

/** Name of an operation: `mdm-master-read`, `stream-xadd`. */
export type OperationName = keyof Operations;

/** The parameters of an operation: of any business entity, or of those in a map of records. */
export type InputOf<
  Name extends OperationName,
  Records extends object = AnyRecords,
  Entity extends EntityOf<Records> = EntityOf<Records>,
> = Operations<Entity, Records[Entity]>[Name]['input'];

/** The output of an operation: of any business entity, or of those in a map of records. */
export type OutputOf<
  Name extends OperationName,
  Records extends object = AnyRecords,
  Entity extends EntityOf<Records> = EntityOf<Records>,
> = Operations<Entity, Records[Entity]>[Name]['output'];

/**
 * An input, from whose `businessEntity` the compiler reads which entity a call is about: the first branch is never
 * taken.
 */
type Inferring<Name, Entity, Input> = [Name] extends [never] ? { businessEntity: Entity } : Input;

export interface CallOptions {
  /** Aborts the call, its retries and their pauses. The call rejects with the signal's reason. */
  signal?: AbortSignal;
  /**
   * How often to retry a call whose error is `retryable`: one that was not carried out, or that is idempotent. Default
   * 0.
   */
  retries?: number;
}

/** A client. `Records` maps internal ids of business entities to the types of their records. */
export interface Client<Records extends object = AnyRecords> {
  /**
   * Calls an operation and waits for its output.
   *
   * @throws {OperationError} with the fields of the operation's error; with the type `CLIENT:TRANSPORT` without a
   *   response.
   * @example
   * const id = await client.invoke('stream-xadd', { key: 'orders', entry: { sku: '1' } });
   */
  invoke<Name extends OperationName, Entity extends EntityOf<Records> = EntityOf<Records>>(
    name: Name,
    input: Inferring<Name, Entity, InputOf<Name, Records, Entity>>,
    options?: CallOptions,
  ): Promise<OutputOf<Name, Records, Entity>>;

  /**
   * The entries of a stream from `start` (default `-`) to `end` (default `+`), read page by page.
   *
   * @example
   * for await (const { id, entry } of client.entries({ key: 'orders' })) console.log(id, entry);
   */
  entries(input: EntriesInput, options?: CallOptions): AsyncGenerator<StreamEntry, void, undefined>;

  /**
   * The records that a search finds, read page by page, each once. A search reaches 10,000 records.
   *
   * @throws {OperationError} like `invoke`; `MDM:CLIENT_ERROR` (400) after 10,000 records, if more may match;
   *   `MDM:SERVER_ERROR` (502) if the service repeats a page.
   * @example
   * for await (const record of client.records({ businessEntity: 'c360.city', search: '*' })) console.log(record);
   */
  records<Entity extends EntityOf<Records>>(
    input: RecordsInput<Entity>,
    options?: CallOptions,
  ): AsyncGenerator<FoundRecord<Entity, Records[Entity]>, void, undefined>;
}

/**
 * A typed client of the operations. Numbers beyond 2^53 arrive as `JSON.rawJSON` values, which `JSON.stringify` writes
 * with all their digits.
 *
 * @typeParam Records the `Records` that `npm run types` writes: calls then take and return records with their fields
 * @param transport how calls travel: `httpTransport` or `lambdaTransport`
 * @param defaults options of every call, which a call may override
 * @example
 * const client = createClient(httpTransport({ url: 'http://localhost:3000' }), { retries: 3 });
 * const id = await client.invoke('stream-xadd', { key: 'orders', entry: { sku: '1' } });
 */
export function createClient<Records extends object = AnyRecords>(
  transport: Transport,
  defaults: CallOptions = {},
): Client<Records> {
  const invoke: Client['invoke'] = async (name, input, options) => {
    const { signal, retries = 0 } = { ...defaults, ...options };
    const payload = JSON.stringify(input);
    const mayRepeat = isIdempotent(IDEMPOTENCE[name] ?? false, input);
    const send = async (mayBeDone: boolean) => {
      const text = await transport.send(name, payload, signal).catch(refuseToRepeat(mayRepeat));
      const output = parseOutput(name, text);
      return name === BATCH && mayBeDone ? withUnknownOutcomes(output as Results) : output;
    };
    return (await withRetries(retries, send, signal)) as never;
  };
  const client: Client = {
    invoke,
    entries: (input, options) => readEntries((page) => invoke('stream-xrange', page, options), input),
    records: (input, options) => readRecords((page) => invoke('mdm-search', page, options), input),
  };
  return client as unknown as Client<Records>; // what `Records` says is known to the compiler alone
}

/**
 * An operation says itself whether its error is retryable. Without its response the outcome is unknown, and only an
 * idempotent call is.
 */
function refuseToRepeat(mayRepeat: boolean): (error: unknown) => never {
  return (error) => {
    const isDoubtful = error instanceof OperationError && error.type === 'CLIENT:TRANSPORT' && error.retryable;
    if (!isDoubtful || mayRepeat || error.outcome !== 'unknown') throw error;
    throw transportError(error.operation, error.message, { ...error, retryable: false, cause: error.cause });
  };
}

type Results = OutputOf<typeof BATCH>;

/** The same results of a batch of which an earlier attempt may have been carried out, though its response was lost. */
function withUnknownOutcomes(output: Results): Results {
  const results = output.results.map((result) =>
    'error' in result ? { error: { ...result.error, outcome: 'unknown' as const } } : result,
  );
  return { ...output, results };
}

function parseOutput(name: string, text: string): unknown {
  try {
    return text === '' ? null : parseExact(text);
  } catch (cause) {
    throw transportError(name, 'The response is not JSON', { status: 502, retryable: false, cause });
  }
}
