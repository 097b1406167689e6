import type { Deadline } from '../core/deadline.ts';
import { readEnvironment } from '../config/config.ts';
import type { Invoke } from './targets/lambda-sdk.ts';

/**
 * Invokes the consumer asynchronously. When this resolves, Lambda has accepted the event; the run may not have begun.
 *
 * @throws the SDK's error if Lambda refuses the event, or does not accept it within two seconds and the deadline
 */
export type InvokeConsumer = (parameters: object, deadline: Deadline) => Promise<void>;

/** Time for an invocation, and within that for each connect, in milliseconds. */
const INVOKE_MS = 2000;
const CONNECT_MS = 1000;
const invokers = new Map<number, Invoke>();

/**
 * A function that invokes the consumer; undefined if the environment does not name it (`CONNECTOR_CONSUMER_FUNCTION`).
 *
 * @param maxAttempts the SDK's attempts
 */
export function consumerInvoker(maxAttempts: number): InvokeConsumer | undefined {
  const { consumerFunction: FunctionName } = readEnvironment();
  if (FunctionName === undefined) return undefined;
  return async (parameters, deadline) => {
    const signal = AbortSignal.timeout(deadline.within(INVOKE_MS));
    const sdk = await import('./targets/lambda-sdk.ts'); // most calls do not need it
    const invoke = invokers.get(maxAttempts) ?? sdk.lambdaInvoker({ maxAttempts, connectMs: CONNECT_MS });
    invokers.set(maxAttempts, invoke);
    await invoke({ FunctionName, InvocationType: 'Event', Payload: JSON.stringify(parameters) }, signal);
  };
}

/**
 * A function that starts the next run with the same parameters; undefined if the environment does not name the
 * consumer. The template allows the consumer to invoke itself. Elsewhere Lambda stops such a chain after 16
 * invocations, and the schedule continues.
 */
export function successorOf(parameters: object, deadline: Deadline): (() => Promise<void>) | undefined {
  const invokeConsumer = consumerInvoker(2);
  return invokeConsumer && (() => invokeConsumer(parameters, deadline));
}
