/* The entry of the package: the client, its HTTP transport, its error and its types. `…/lambda` adds Lambda Invoke. */

export { createClient } from './client.ts';
export type { CallOptions, Client, InputOf, OperationName, OutputOf } from './client.ts';
export { OperationError } from './error.ts';
export type { OperationErrorType } from './error.ts';
export type { Fault } from '../core/errors.ts';
export { httpTransport } from './http.ts';
export type { HttpRequest, HttpTransportOptions } from './http.ts';
export type * from './operations.generated.ts';
export type { EntriesInput, RecordsInput, StreamEntry } from './pages.ts';
export type { AnyRecord, AnyRecords, Changes, EntityOf, FieldsRead, Prefixed, Read } from './records.ts';
export type { Transport } from './transport.ts';
