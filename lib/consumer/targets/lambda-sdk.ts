/* In a file of its own, read on demand: a consumer whose target is the MDM does without it. */
import {
  InvokeCommand,
  LambdaClient,
  type InvokeCommandInput,
  type InvokeCommandOutput,
  type LambdaClientConfig,
} from '@aws-sdk/client-lambda';
import { SharedSignal } from '../../core/abort.ts';
import { awsSigner } from '../../runtime/aws-signer.ts';

/** Invokes a function. Rejects with the SDK's errors, also where the signal comes first. */
export type Invoke = (input: InvokeCommandInput, signal: AbortSignal) => Promise<InvokeCommandOutput>;

/**
 * A client with one signer for all calls, and one chain of middleware for all calls with the same signal: for each call, the
 * SDK makes a signer, copies its settings, and puts its middleware in order.
 *
 * @example
 * const invoke = lambdaInvoker({ maxAttempts: 1 });
 * const { Payload } = await invoke({ FunctionName: 'orders', Payload: '{}' }, AbortSignal.timeout(2000));
 */
export function lambdaInvoker(config: LambdaClientConfig): Invoke {
  const client = new LambdaClient({ ...config, signer: awsSigner('lambda') });
  const chains = new WeakMap<AbortSignal, ReturnType<InvokeCommand['resolveMiddleware']>>();
  return async (input, signal) => {
    let chain = chains.get(signal);
    if (!chain) {
      const { FunctionName } = input;
      const command = new InvokeCommand({ FunctionName }); // it stays in the chain, so without a payload
      chain = command.resolveMiddleware(client.middlewareStack, client.config, {
        abortSignal: SharedSignal.of(signal),
      });
      chains.set(signal, chain);
    }
    const { output } = await chain({ input });
    return output;
  };
}
