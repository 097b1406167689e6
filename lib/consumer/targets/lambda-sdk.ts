/* In a file of its own, read on demand: a consumer whose target is the MDM does without it. */
import {
  InvalidRequestContentException,
  InvokeCommand,
  LambdaClient,
  LambdaServiceException,
  TooManyRequestsException,
  UnsupportedMediaTypeException,
  type InvokeCommandInput,
  type InvokeCommandOutput,
  type LambdaClientConfig,
} from '@aws-sdk/client-lambda';
import { awsSettings } from '../../runtime/aws-client.ts';

/** Invokes a function. Rejects with the SDK's errors, also where the signal comes first. */
export type Invoke = (input: InvokeCommandInput, signal: AbortSignal) => Promise<InvokeCommandOutput>;

/**
 * How to invoke functions, by one client for all calls.
 *
 * @example
 * const invoke = lambdaInvoker({ maxAttempts: 1 });
 * const { Payload } = await invoke({ FunctionName: 'orders', Payload: '{}' }, AbortSignal.timeout(2000));
 */
export function lambdaInvoker(config: LambdaClientConfig): Invoke {
  const client = new LambdaClient({ ...awsSettings('LAMBDA'), ...config });
  return (input, abortSignal) => client.send(new InvokeCommand(input), { abortSignal });
}

/** What Lambda says of a call that it refused. */
export interface Refusal {
  /** The name that Lambda gives the error. */
  readonly code: string;
  /** Whether only another payload can change it. */
  readonly isOfPayload: boolean;
  readonly isThrottle: boolean;
  readonly retryAfter: string | null;
}

/** Status of a payload that is too large, which has several names. */
const TOO_LARGE = 413;
const OF_PAYLOAD = [InvalidRequestContentException, UnsupportedMediaTypeException];

/** The refusal that an error is; undefined for one of the way to Lambda. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof LambdaServiceException)) return undefined;
  return {
    code: error.name,
    isOfPayload: error.$metadata.httpStatusCode === TOO_LARGE || OF_PAYLOAD.some((kind) => error instanceof kind),
    isThrottle: error instanceof TooManyRequestsException,
    retryAfter: error.$response?.headers['retry-after'] ?? null,
  };
}
