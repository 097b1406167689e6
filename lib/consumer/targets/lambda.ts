import type { InvokeCommandOutput } from '@aws-sdk/client-lambda';
import { describeCause, type CauseName } from '../../contract/causes.ts';
import { traceClientContext, withTraceOfEntry } from '../../core/trace.ts';
import { retryAfterOf } from '../../core/retry-after.ts';
import { fieldOf, fieldsOf, type Entry } from '../entry.ts';
import { TargetFailure } from './failure.ts';
import type { AttemptContext, BatchEntry, Target } from './target.ts';
import type { Invoke, Refusal } from './lambda-sdk.ts';

/** Lambda's report of a function's timeout. */
const TIMED_OUT = /Timedout$|timed out after/;

export interface LambdaTargetOptions {
  /** Name or ARN of the function. */
  name: string;
  group: string;
  /** The field with the ordering key; entries without it share one key. By default, the whole shard is one key. */
  keyField?: string;
  /** Maximum entries per invocation. */
  batchSize: number;
}

/**
 * One attempt, because the consumer retries itself. Without a connect timeout, time spent trying to reach Lambda would
 * count as the function's own.
 */
const INVOKER = { maxAttempts: 1, connectMs: 5000 };

let invoker: Invoke | undefined;

/**
 * Invokes a Lambda with `{stream, group, id, deliveries, entry}`, where `stream` is the shard; with a batch size above
 * 1, with `{stream, group, entries: [{id, deliveries, entry}, …]}`. It may then return `{batchItemFailures:
 * [{itemIdentifier}]}`, as with AWS's own event sources.
 */
export async function lambdaTarget({ name, group, keyField, batchSize }: LambdaTargetOptions): Promise<Target> {
  const sdk = await import('./lambda-sdk.ts');
  const invokeFunction = (invoker ??= sdk.lambdaInvoker(INVOKER));
  const refuse = (cause: unknown) => {
    throw failureOf(name, cause, sdk.refusalOf(cause));
  };
  const invoke = async (payload: object, entry: Entry, { stream, signal }: AttemptContext): Promise<string> => {
    const ClientContext = withTraceOfEntry((field) => fieldOf(entry, field), traceClientContext);
    const Payload = JSON.stringify({ stream, group, ...payload });
    return payloadOf(await invokeFunction({ FunctionName: name, Payload, ClientContext }, signal).catch(refuse));
  };
  const invokeBatch = async (batch: readonly BatchEntry[]) => {
    const [first] = batch;
    const entries = batch.map(({ entry, deliveries }) => {
      return { id: entry.id, deliveries, entry: fieldsOf(entry) };
    });
    return failedIds(await invoke({ entries }, first!.entry, first!), entries);
  };
  return {
    name,
    keyFields: keyField === undefined ? [] : [keyField],
    timeoutKind: 'own',
    async process(entry, context) {
      if (batchSize === 1) {
        await invoke({ id: entry.id, deliveries: context.deliveries, entry: fieldsOf(entry) }, entry, context);
        return;
      }
      const failed = await invokeBatch([{ ...context, entry }]);
      if (failed.size > 0) throw new TargetFailure('own', 'LAMBDA:BATCH_ITEM', 'The function reported it as failed');
    },
    ...(batchSize > 1 && { batch: { size: batchSize, process: invokeBatch } }),
  };
}

/** The function failed, which is the entry's failure. Omits its message, which may repeat the entry. */
function payloadOf({ FunctionError, Payload }: InvokeCommandOutput): string {
  const text = Payload?.transformToString() ?? '';
  if (FunctionError === undefined) return text;
  const { errorType, errorMessage } = (parse(text) ?? {}) as { errorType?: unknown; errorMessage?: unknown };
  if (TIMED_OUT.test(`${String(errorMessage)} ${String(errorType)}`)) {
    throw new TargetFailure('own', 'LAMBDA:TIMEOUT', 'The function ran out of time');
  }
  const type = typeof errorType === 'string' && errorType !== '' ? errorType : FunctionError;
  throw new TargetFailure('own', type, 'The function failed');
}

/**
 * The ids that the function reports as failed. No response, or one without failures, means success.
 *
 * @throws {TargetFailure} for the whole batch if the response is malformed: an id is empty or not in the batch
 */
function failedIds(text: string, entries: readonly { id: string }[]): ReadonlySet<string> {
  const response = text === '' ? null : parse(text);
  const failures = (response as { batchItemFailures?: unknown } | null | undefined)?.batchItemFailures ?? [];
  const known = new Set(entries.map(({ id }) => id));
  const isKnown = (item: unknown) => known.has((item as { itemIdentifier?: string } | null)?.itemIdentifier ?? '');
  if (response === undefined || !Array.isArray(failures) || !failures.every(isKnown)) {
    throw new TargetFailure('own', 'LAMBDA:RESPONSE', 'The response of the function is malformed');
  }
  return new Set(failures.map(({ itemIdentifier }: { itemIdentifier: string }) => itemIdentifier));
}

/** Parses JSON; undefined for other text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What Lambda's refusals of a target mean for its operator. */
const REFUSALS: Readonly<Record<string, CauseName>> = {
  ResourceNotFoundException: 'target-missing',
  AccessDeniedException: 'target-denied',
};

/** Lambda refused the call, or is out of reach. A missing or forbidden function is an outage too. */
function failureOf(name: string, cause: unknown, refusal: Refusal | undefined): TargetFailure {
  const say = (causeName: CauseName) => describeCause(causeName, { name }).detail;
  if (!refusal) return new TargetFailure('outage', 'LAMBDA:CONNECTIVITY', say('target-unreachable'), { cause });
  const { code, isPayloadRefused, isThrottle, retryAfter } = refusal;
  const known = REFUSALS[code];
  const message = known ? say(known) : 'Lambda refused the call';
  return new TargetFailure(isPayloadRefused ? 'permanent' : 'outage', `LAMBDA:${code}`, message, {
    cause,
    retryAfterMs: retryAfterOf(retryAfter),
    isThrottle,
  });
}
