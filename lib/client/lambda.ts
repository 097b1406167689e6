import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { readTrace, type FailedInvocation } from '../core/problem.ts';
import { brokenFunction, operationError, transportError, type OperationError } from './error.ts';
import type { Transport } from './transport.ts';

export interface LambdaTransportOptions {
  /** Prefix of the functions' names, service and stage: `mdm-stream-prod-`. */
  functionPrefix: string;
  /** Client of the AWS SDK. Give it `maxAttempts: 1`, because a lost call may have been carried out. */
  lambda: LambdaClient;
}

/** Members that the AWS SDK adds to its errors. */
interface SdkError extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number; requestId?: string };
  retryAfterSeconds?: string;
}

/** Codes of connection faults before a request is sent, and names of errors of the SDK that has no credentials. */
const UNSENT = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'CredentialsProviderError', 'TokenProviderError']);

/**
 * Invokes the functions directly, with the AWS SDK.
 *
 * @example
 * import { LambdaClient } from '@aws-sdk/client-lambda';
 *
 * const lambda = new LambdaClient({ maxAttempts: 1 });
 * const client = createClient(lambdaTransport({ functionPrefix: 'mdm-stream-prod-', lambda }));
 */
export function lambdaTransport({ functionPrefix, lambda }: LambdaTransportOptions): Transport {
  return {
    async send(operation, payload, signal) {
      const command = new InvokeCommand({ FunctionName: `${functionPrefix}${operation}`, Payload: payload });
      const result = await lambda.send(command, { abortSignal: signal }).catch((error: SdkError) => {
        throw refusal(operation, error);
      });
      const text = result.Payload?.transformToString() ?? '';
      if (!result.FunctionError) return text === 'null' ? '' : text;
      throw failure(operation, JSON.parse(text) as FailedInvocation, result.$metadata.requestId);
    },
  };
}

function failure(operation: string, failed: FailedInvocation, requestId?: string): OperationError {
  const problem = readTrace(failed);
  if (problem) return operationError(operation, problem);
  const { errorType = 'no error', errorMessage = '' } = failed;
  return brokenFunction(operation, `The function broke: ${errorType} ${errorMessage}`.trimEnd(), requestId);
}

/** Lambda refused the invocation, or is out of reach. */
function refusal(operation: string, error: SdkError): OperationError {
  const { httpStatusCode: status, requestId } = error.$metadata ?? {};
  const seconds = Number(error.retryAfterSeconds);
  const isUnsent = status === undefined ? UNSENT.has(error.code ?? error.name) : status < 500;
  return transportError(operation, `Lambda did not invoke the function: ${error.name}: ${error.message}`, {
    status: status ?? 503,
    retryable: status === undefined || status === 429 || status >= 500,
    outcome: isUnsent ? 'not-sent' : 'unknown',
    retryAfterMs: seconds > 0 ? seconds * 1000 : undefined,
    requestId,
    cause: error,
  });
}
