import { IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { GetFunctionConcurrencyCommand, GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { registry } from '#functions/registry.ts';
import { functionLogicalId, functionName } from '#deploy/names.ts';
import { CONSUMER } from '#deploy/operations.ts';
import type { Found } from '#lib/invocation/checks.ts';
import type { DeployedStack } from './deployed-stack.ts';

const INVOKE = 'lambda:InvokeFunction';

/** Whether the functions that wake the consumer may invoke it, as IAM decides, and whether it may run. */
export async function inspectWake(stack: DeployedStack): Promise<Found<true>> {
  const isDeployed = (name: string) => functionLogicalId(name) in stack.template.Resources;
  const waking = registry
    .filter(({ name, deploy }) => deploy.wakesConsumer && isDeployed(name))
    .map(({ name }) => name);
  const found = (status: Found<true>['status'], detail: string, hint: string) => ({
    status,
    detail,
    hint,
    value: true as const,
  });
  if (!isDeployed(CONSUMER) || waking.length === 0)
    return { detail: 'Nothing of the stack wakes the consumer', value: true };
  const lambda = new LambdaClient({ region: stack.region, maxAttempts: 2 });
  const FunctionName = functionName(stack, CONSUMER);
  const [concurrency, configurations] = await Promise.all([
    lambda.send(new GetFunctionConcurrencyCommand({ FunctionName })),
    Promise.all(
      [CONSUMER, ...waking].map((name) =>
        lambda.send(new GetFunctionConfigurationCommand({ FunctionName: functionName(stack, name) })),
      ),
    ),
  ]);
  if (concurrency.ReservedConcurrentExecutions === 0) {
    return found(
      'failed',
      'The consumer may not run: its reserved concurrency is 0',
      `If it was taken away by hand: aws lambda delete-function-concurrency --function-name ${FunctionName}; ` +
        'otherwise deploy with a consumerReservedConcurrency over 0, or without',
    );
  }
  const [consumer, ...wakers] = configurations;
  const off = waking.filter((_, at) => wakers[at]?.Environment?.Variables?.CONNECTOR_CONSUMER_FUNCTION === undefined);
  if (off.length > 0)
    return found('warning', `${off.join(', ')} wake nothing: consumerState is off`, 'Deploy with consumerState=on');
  const iam = new IAMClient({ region: stack.region, maxAttempts: 2 });
  const decisions = await Promise.all(
    wakers.map(({ Role }) =>
      iam.send(
        new SimulatePrincipalPolicyCommand({
          PolicySourceArn: Role,
          ActionNames: [INVOKE],
          ResourceArns: [consumer?.FunctionArn ?? ''],
        }),
      ),
    ),
  );
  const denied = waking.filter((_, at) => decisions[at]?.EvaluationResults?.[0]?.EvalDecision !== 'allowed');
  if (denied.length === 0) return { detail: `${waking.join(', ')} may invoke the consumer`, value: true };
  const hint = `Allow ${INVOKE} in permissionsBoundary and the policies of your organization; else deploy again`;
  return found('failed', `IAM does not let ${denied.join(', ')} invoke the consumer`, hint);
}
