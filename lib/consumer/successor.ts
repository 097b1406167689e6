import type { LambdaClient } from '@aws-sdk/client-lambda';
import { readEnvironment } from '../runtime/config.ts';

let client: LambdaClient | undefined;

/**
 * How a run starts the next one, with the same parameters; undefined where the environment does not name the consumer.
 * AWS stops a function that invokes itself after 16 times in a row unless its recursion setting allows it: then the
 * schedule goes on.
 */
export function successorOf(parameters: object): (() => Promise<void>) | undefined {
  const { consumerFunction } = readEnvironment();
  if (consumerFunction === undefined) return undefined;
  return async () => {
    const sdk = await import('./targets/lambda-sdk.ts');
    client ??= new sdk.LambdaClient({ maxAttempts: 2 });
    const Payload = JSON.stringify(parameters);
    await client.send(new sdk.InvokeCommand({ FunctionName: consumerFunction, InvocationType: 'Event', Payload }));
  };
}
