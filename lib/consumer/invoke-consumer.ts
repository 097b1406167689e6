import type { Deadline } from '../core/deadline.ts';
import { readEnvironment } from '../runtime/config.ts';
import type { Invoke } from './targets/lambda-sdk.ts';

/**
 * Invokes the consumer asynchronously: when it settles, Lambda has taken the event; the run may not have begun.
 *
 * @throws what the SDK throws where Lambda refuses the event, or does not take it within two seconds and the deadline
 */
export type InvokeConsumer = (parameters: object, deadline: Deadline) => Promise<void>;

/** What an invocation may take, and of that each try to connect, in milliseconds. */
const INVOKE_MS = 2000;
const CONNECT_MS = 1000;
const invokers = new Map<number, Invoke>();

/**
 * How to invoke the consumer; undefined where the environment does not name it (`CONNECTOR_CONSUMER_FUNCTION`).
 *
 * @param maxAttempts how often the SDK tries
 */
export function consumerInvoker(maxAttempts: number): InvokeConsumer | undefined {
  const { consumerFunction: FunctionName } = readEnvironment();
  if (FunctionName === undefined) return undefined;
  return async (parameters, deadline) => {
    const signal = AbortSignal.timeout(deadline.within(INVOKE_MS));
    const sdk = await import('./targets/lambda-sdk.ts'); // most calls do without it
    const invoke =
      invokers.get(maxAttempts) ??
      sdk.lambdaInvoker({ maxAttempts, requestHandler: { connectionTimeout: CONNECT_MS } });
    invokers.set(maxAttempts, invoke);
    await invoke({ FunctionName, InvocationType: 'Event', Payload: JSON.stringify(parameters) }, signal);
  };
}

/**
 * How a run starts the next one, with the same parameters; undefined where the environment does not name the consumer.
 * The template allows the consumer to invoke itself; elsewhere Lambda stops a function that does after 16 times in a row,
 * and the schedule goes on.
 */
export function successorOf(parameters: object, deadline: Deadline): (() => Promise<void>) | undefined {
  const invokeConsumer = consumerInvoker(2);
  return invokeConsumer && (() => invokeConsumer(parameters, deadline));
}
