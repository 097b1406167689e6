import type Type from 'typebox';
import type { submissionBatch } from '../../contract/parameters/mdm.ts';
import { ConnectorError } from '../../core/errors.ts';
import { problemOf, type Problem } from '../../core/problem.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { MdmClient } from '../client/client.ts';
import { refuseUnwritable } from './record.ts';
import { submitSource, type Submitted } from './source-submit.ts';
import { refuseUnnamedTime, timesOf } from './source-time.ts';

type Batch = Omit<Type.Static<Type.TObject<typeof submissionBatch>>, 'validate'> & { readonly concurrency: number };

export type BatchResult = Submitted | { error: Problem };

/** With less time left than this, in milliseconds, no further record is sent. */
const LEAST_TIME_MS = 50;

/**
 * Submits records independently. Results have the order of the records.
 *
 * Records with the same key are sent in order. After a failed one, later ones are not sent, so that an old value cannot
 * follow a newer one. Records that the call has no time for are not sent either. Both errors are `retryable`.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` (400) for records that cannot be written, before any is sent
 * @example
 * const results = await submitBatch(mdm, { businessEntity, sourceSystem, records, concurrency: 10 }, invocation);
 */
export async function submitBatch(mdm: MdmClient, batch: Batch, invocation: Invocation): Promise<BatchResult[]> {
  const { records, concurrency } = batch;
  refuseUnwritable(records);
  refuseUnnamedTime(mdm.config, timesOf(records));
  const results: BatchResult[] = [];
  const waiting = [...Map.groupBy(records.keys(), (index) => records[index]!.sourcePKey).values()].values();
  const work = async () => {
    for (const indexes of waiting) await submitInOrder(mdm, batch, invocation, indexes, results);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

/** Records with the same key. */
async function submitInOrder(
  mdm: MdmClient,
  { businessEntity, sourceSystem, records }: Batch,
  invocation: Invocation,
  indexes: readonly number[],
  results: BatchResult[],
): Promise<void> {
  let hasFailed = false;
  const failed = (error: ConnectorError) => {
    hasFailed = true;
    return { error: problemOf(error, invocation.requestId, invocation.isIdempotent) };
  };
  for (const index of indexes) {
    const unsent = reasonNotToSend(hasFailed, invocation);
    const submit = () => submitSource(mdm, { businessEntity, sourceSystem, ...records[index]! });
    results[index] = unsent
      ? failed(unsent)
      : await submit().catch((cause: unknown) => {
          const error = knownError(cause, invocation);
          invocation.failures.add(error); // the invocation succeeds, but alarms watch failures
          return failed(error);
        });
  }
}

function reasonNotToSend(hasFailed: boolean, { deadline }: Invocation): ConnectorError | undefined {
  if (hasFailed) return notSent('MDM:CLIENT_ERROR', 'an earlier record of its key failed');
  return deadline.remainingMs() < LEAST_TIME_MS ? notSent('MDM:TIMEOUT', 'the time of the call is up') : undefined;
}

function notSent(type: 'MDM:CLIENT_ERROR' | 'MDM:TIMEOUT', why: string): ConnectorError {
  const status = type === 'MDM:CLIENT_ERROR' ? { status: 409 } : {};
  return new ConnectorError(type, `The record was not sent: ${why}`, {
    ...status,
    temporary: true,
    outcome: 'not-sent',
  });
}

function knownError(error: unknown, { log, requestId }: Invocation): ConnectorError {
  if (error instanceof ConnectorError) return error;
  log.error('failed', { requestId, error });
  return new ConnectorError('CONNECTOR:INTERNAL', 'Internal error; the log has its cause under this request id');
}
