import { rightOf } from './from-manifest.ts';

/** As much of a plan as is read here. */
export interface Plan {
  planned_values: {
    root_module: {
      child_modules: { resources: { type: string; index?: string; values: Record<string, unknown> }[] }[];
    };
  };
}

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: string[];
  Condition?: object;
}

/** The planned resources of a type. */
export const plannedOf = (plan: Plan, type: string) =>
  plan.planned_values.root_module.child_modules[0]!.resources.filter((one) => one.type === type);

/** The planned routes with who may call them. */
export const plannedRoutes = (plan: Plan) =>
  plannedOf(plan, 'aws_apigatewayv2_route')
    .map(({ values }) => `${values.route_key as string} ${values.authorization_type as string}`)
    .sort();

/** What the plan gives a function, in the words of the comparison of templates. */
export function plannedFunction(plan: Plan, name: string) {
  const of = (type: string) => plannedOf(plan, type).find(({ index }) => index === name)?.values ?? {};
  const lambda = of('aws_lambda_function');
  const invoke = of('aws_lambda_function_event_invoke_config');
  const { Statement } = JSON.parse(of('aws_iam_role_policy').policy as string) as { Statement: Statement[] };
  const rights = Statement.flatMap(({ Effect, Action, Resource, Condition }) =>
    [Action].flat().flatMap((action) => Resource.map((one) => rightOf(Effect, action, one, Condition))),
  );
  const schedules = plannedOf(plan, 'aws_scheduler_schedule').filter(({ index }) => index?.startsWith(`${name}-`));
  return {
    Description: lambda.description,
    Handler: lambda.handler,
    MemorySize: lambda.memory_size,
    Timeout: lambda.timeout,
    Runtime: lambda.runtime,
    Architectures: lambda.architectures,
    RecursiveLoop: of('aws_lambda_function_recursion_config').recursive_loop ?? null,
    isInVpc: (lambda.vpc_config as object[]).length > 0,
    layers: lambda.layers ?? [],
    reserved: lambda.reserved_concurrent_executions,
    isTraced: (lambda.tracing_config as { mode: string }[])[0]?.mode === 'Active',
    environment: (lambda.environment as { variables: object }[])[0]?.variables,
    rights: [...new Set(rights)].sort(),
    schedules: schedules.map(({ values }) => inWords(values)).sort(),
    retries: [invoke.maximum_retry_attempts, invoke.maximum_event_age_in_seconds],
    retention: of('aws_cloudwatch_log_group').retention_in_days,
  };
}

interface Target {
  input: string;
  retry_policy: { maximum_retry_attempts: number; maximum_event_age_in_seconds: number }[];
}

function inWords({ schedule_expression, target }: Record<string, unknown>): string {
  const [
    {
      input,
      retry_policy: [retry],
    },
  ] = target as [Target];
  const policy = {
    MaximumRetryAttempts: retry?.maximum_retry_attempts,
    MaximumEventAgeInSeconds: retry?.maximum_event_age_in_seconds,
  };
  return `${schedule_expression as string} ${input} ${JSON.stringify(policy)}`;
}
