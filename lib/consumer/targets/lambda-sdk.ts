/* A separate file, imported on demand: a consumer with the MDM as its target does not need it. */
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
import { awsSettings } from '../../config/aws-client.ts';

/** Invokes a function. Rejects with the SDK's errors, also when the signal is aborted. */
export type Invoke = (input: InvokeCommandInput, signal: AbortSignal) => Promise<InvokeCommandOutput>;

/**
 * Invokes functions, with one client for all calls.
 *
 * @example
 * const invoke = lambdaInvoker({ maxAttempts: 1 });
 * const { Payload } = await invoke({ FunctionName: 'orders', Payload: '{}' }, AbortSignal.timeout(2000));
 */
export function lambdaInvoker(config: LambdaClientConfig): Invoke {
  const client = new LambdaClient({ ...awsSettings('LAMBDA'), ...config });
  return (input, abortSignal) => client.send(new InvokeCommand(input), { abortSignal });
}

/** Lambda's refusal of a call. */
export interface Refusal {
  /** Lambda's name of the error. */
  readonly code: string;
  /** Whether only another payload could succeed. */
  readonly isPayloadRefused: boolean;
  readonly isThrottle: boolean;
  readonly retryAfter: string | null;
}

/** Status for a payload that is too large; the error has several names. */
const TOO_LARGE = 413;
const PAYLOAD_REFUSALS = [InvalidRequestContentException, UnsupportedMediaTypeException];

/** The refusal in an error; undefined for a connection fault. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof LambdaServiceException)) return undefined;
  return {
    code: error.name,
    isPayloadRefused:
      error.$metadata.httpStatusCode === TOO_LARGE || PAYLOAD_REFUSALS.some((kind) => error instanceof kind),
    isThrottle: error instanceof TooManyRequestsException,
    retryAfter: error.$response?.headers['retry-after'] ?? null,
  };
}
