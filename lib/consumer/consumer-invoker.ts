import type { LambdaClient } from '@aws-sdk/client-lambda';
import { readEnvironment } from '../runtime/config.ts';

/**
 * Invokes the consumer asynchronously: when it settles, Lambda has taken the event; the run may not have begun.
 *
 * @throws what the SDK throws where Lambda refuses the event, or the signal comes first
 */
export type InvokeConsumer = (parameters: object, signal?: AbortSignal) => Promise<void>;

const clients = new Map<number, LambdaClient>();

/**
 * How to invoke the consumer; undefined where the environment does not name it (`CONNECTOR_CONSUMER_FUNCTION`).
 *
 * @param maxAttempts how often the SDK tries
 */
export function consumerInvoker(maxAttempts: number): InvokeConsumer | undefined {
  const { consumerFunction: FunctionName } = readEnvironment();
  if (FunctionName === undefined) return undefined;
  return async (parameters, abortSignal) => {
    const sdk = await import('./targets/lambda-sdk.ts'); // most calls do without it
    const client = clients.get(maxAttempts) ?? sdk.lambdaClient({ maxAttempts });
    clients.set(maxAttempts, client);
    const Payload = JSON.stringify(parameters);
    await client.send(new sdk.InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }), { abortSignal });
  };
}
