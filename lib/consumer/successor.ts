import { consumerInvoker } from './consumer-invoker.ts';

/**
 * How a run starts the next one, with the same parameters; undefined where the environment does not name the consumer.
 * AWS stops a function that invokes itself after 16 times in a row unless its recursion setting allows it: then the
 * schedule goes on.
 */
export function successorOf(parameters: object): (() => Promise<void>) | undefined {
  const invokeConsumer = consumerInvoker(2);
  return invokeConsumer && (() => invokeConsumer(parameters));
}
