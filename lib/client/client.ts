import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Operations } from './operations.generated.ts';
import { ConnectorError, ERROR_TYPES, type ErrorType } from '../core/errors.ts';
import { parseExact } from '../core/json.ts';

/** Name of an operation: `mdm-master-read`, `stream-xadd`. */
export type OperationName = keyof Operations;

export interface ClientOptions {
  /** What the functions' names begin with: service and stage, `mdm-stream-prod-`. */
  functionPrefix: string;
  /** Lambda client of the AWS SDK. Default: one that tries once, since a call that failed on its way may have run. */
  lambda?: LambdaClient;
}

export interface Client {
  /**
   * Invokes an operation and waits for its output.
   *
   * @throws {ConnectorError} of the type that the operation raised; `CONNECTOR:INTERNAL` where the function itself broke.
   */
  invoke<Name extends OperationName>(name: Name, input: Operations[Name]['input']): Promise<Operations[Name]['output']>;
}

/**
 * A typed client for other Lambdas. Numbers beyond 2^53 arrive as their digits (`JSON.rawJSON`).
 *
 * @example
 * const client = createClient({ functionPrefix: 'mdm-stream-prod-' });
 * const id = await client.invoke('stream-xadd', { key: 'orders', entry: { sku: '1' } });
 */
export function createClient({ functionPrefix, lambda = new LambdaClient({ maxAttempts: 1 }) }: ClientOptions): Client {
  return {
    async invoke(name, input) {
      const command = new InvokeCommand({
        FunctionName: `${functionPrefix}${name as string}`,
        Payload: JSON.stringify(input),
      });
      const { FunctionError, Payload } = await lambda.send(command);
      const output = parseExact(Payload?.transformToString() || 'null');
      if (FunctionError) throw failureOf(name, output as InvocationFailure);
      return output as never;
    },
  };
}

interface InvocationFailure {
  errorType?: string;
  errorMessage?: string;
}

function failureOf(name: string, { errorType = '', errorMessage = '' }: InvocationFailure): ConnectorError {
  if (errorType in ERROR_TYPES) return new ConnectorError(errorType as ErrorType, errorMessage);
  return new ConnectorError('CONNECTOR:INTERNAL', `${name} broke: ${errorType} ${errorMessage}`);
}
