import type { Deadline } from '../core/deadline.ts';
import { consumerInvoker } from './consumer-invoker.ts';

/**
 * How a run starts the next one, with the same parameters; undefined where the environment does not name the consumer.
 * The template allows the consumer to invoke itself; elsewhere Lambda stops a function that does after 16 times in a row,
 * and the schedule goes on.
 */
export function successorOf(parameters: object, deadline: Deadline): (() => Promise<void>) | undefined {
  const invokeConsumer = consumerInvoker(2);
  return invokeConsumer && (() => invokeConsumer(parameters, deadline));
}
