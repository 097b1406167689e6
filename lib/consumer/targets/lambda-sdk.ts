/* A separate file, imported on demand: a consumer with the MDM as its target does not need it. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  InvalidRequestContentException,
  InvokeCommand,
  LambdaClient,
  LambdaServiceException,
  TooManyRequestsException,
  UnsupportedMediaTypeException,
  type InvokeCommandInput,
  type InvokeCommandOutput,
} from '@aws-sdk/client-lambda';
import { awsSettings } from '../../config/aws-client.ts';
import { closeIdle, KEEP_OPEN, noteIdle } from '../../core/kept-connections.ts';

/** Invokes a function. Rejects with the SDK's errors, also when the signal is aborted. */
export type Invoke = (input: InvokeCommandInput, signal: AbortSignal) => Promise<InvokeCommandOutput>;

export interface InvokerOptions {
  /** Attempts of the SDK. */
  readonly maxAttempts: number;
  /** Connect timeout in milliseconds. */
  readonly connectMs: number;
}

/**
 * Invokes functions, with one client for all calls. Each call under way has a connection of its own; idle ones are
 * kept, but no longer than those to the MDM: the first calls after a container was frozen would be lost on connections
 * that are gone.
 *
 * @example
 * const invoke = lambdaInvoker({ maxAttempts: 1, connectMs: 5000 });
 * const { Payload } = await invoke({ FunctionName: 'orders', Payload: '{}' }, AbortSignal.timeout(2000));
 */
export function lambdaInvoker({ maxAttempts, connectMs }: InvokerOptions): Invoke {
  const httpAgent = noteIdle(new HttpAgent(KEEP_OPEN));
  const httpsAgent = noteIdle(new HttpsAgent(KEEP_OPEN));
  const requestHandler = { httpAgent, httpsAgent, connectionTimeout: connectMs };
  const client = new LambdaClient({ ...awsSettings('LAMBDA'), maxAttempts, requestHandler });
  return (input, abortSignal) => {
    closeIdle(httpAgent);
    closeIdle(httpsAgent);
    return client.send(new InvokeCommand(input), { abortSignal });
  };
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
