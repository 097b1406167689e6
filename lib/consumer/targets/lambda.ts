import type { InvokeCommandOutput, LambdaClient, LambdaServiceException } from '@aws-sdk/client-lambda';
import { traceClientContext, withTraceOfEntry } from '../../core/trace.ts';
import { fieldOf, fieldsOf } from '../entry.ts';
import { TargetFailure } from '../outcome.ts';
import type { Target } from '../target.ts';

/** Refusals that only another payload can change. */
const REFUSED_PAYLOAD = new Set([
  'RequestTooLargeException',
  'InvalidRequestContentException',
  'UnsupportedMediaTypeException',
]);
/** How Lambda tells that a function ran into its own timeout. */
const TIMED_OUT = /Timedout$|timed out after/;

let client: LambdaClient | undefined;

/**
 * Invokes a Lambda with `{stream, id, entry}` for each entry, one after the other: which entries depend on each other,
 * only the function knows, so the whole shard is one key.
 *
 * @param name name or ARN of the function
 */
export async function lambdaTarget(name: string, stream: string): Promise<Target> {
  const sdk = await import('./lambda-sdk.ts');
  const lambda = (client ??= new sdk.LambdaClient({ maxAttempts: 1 })); // the consumer itself tries again, later
  return {
    keyOf: () => '',
    async process(entry, signal) {
      const Payload = JSON.stringify({ stream, id: entry.id, entry: fieldsOf(entry) });
      const ClientContext = withTraceOfEntry((field) => fieldOf(entry, field), traceClientContext);
      const command = new sdk.InvokeCommand({ FunctionName: name, Payload, ClientContext });
      checkAnswer(await lambda.send(command, { abortSignal: signal }).catch(refuse));
    },
  };
}

/** The function itself failed: that counts, unless it ran out of time. Its message may repeat the entry, so it is left out. */
function checkAnswer({ FunctionError, Payload }: InvokeCommandOutput): void {
  if (FunctionError === undefined) return;
  const { errorType = FunctionError, errorMessage = '' } = parseFailure(Payload?.transformToString());
  if (TIMED_OUT.test(`${errorMessage} ${errorType}`)) {
    throw new TargetFailure('outage', 'LAMBDA:TIMEOUT', 'The function ran out of time');
  }
  throw new TargetFailure('counted', errorType, 'The function failed');
}

function parseFailure(text = '{}'): { errorType?: string; errorMessage?: string } {
  try {
    return (JSON.parse(text) ?? {}) as { errorType?: string; errorMessage?: string };
  } catch {
    return {};
  }
}

/** Lambda refused the call, or is out of reach. A function that is missing or may not be called is an outage, too. */
function refuse(cause: unknown): never {
  if (!isRefusal(cause)) {
    throw new TargetFailure('outage', 'LAMBDA:CONNECTIVITY', 'Lambda is out of reach', { cause });
  }
  const kind = REFUSED_PAYLOAD.has(cause.name) ? 'permanent' : 'outage';
  const retryAfterMs = Number(cause.$response?.headers['retry-after']) * 1000;
  throw new TargetFailure(kind, `LAMBDA:${cause.name}`, 'Lambda refused the call', {
    cause,
    retryAfterMs: Number.isFinite(retryAfterMs) ? retryAfterMs : undefined,
  });
}

/** What tells the SDK's errors of a service from those of the way to it. */
const isRefusal = (cause: unknown): cause is LambdaServiceException => cause instanceof Error && '$fault' in cause;
