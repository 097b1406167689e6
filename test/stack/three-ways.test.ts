import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import type { Manifest } from '#deploy/manifest.schema.ts';
import { variableOf } from '#scripts/check/stack/terraform.ts';
import { iamOf, type Iam } from '../support/aws/iam.ts';
import type { Properties, Template } from '../support/aws/packaged-template.ts';
import { rightOf } from '../support/aws/from-manifest.ts';
import { plannedFunction, plannedOf, plannedRoutes, type Plan } from '../support/aws/terraform-plan.ts';

/*
 * The same deployment three ways, by Serverless, by the CDK construct and by the Terraform module, function by
 * function.
 * npm run prove -- stack packages and synthesises the templates, and reads the module; npm test leaves this out.
 */

const FOLDER = '.build/stack/networked';
const read = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;
const PREFIX = 'mdm-stream-networked-';

const serverless = iamOf(read<Template>(`${FOLDER}/package/cloudformation-template-update-stack.json`));
const cdk = iamOf(read<Template>(`${FOLDER}/cdk.json`));
const manifest = read<Manifest>(`${FOLDER}/package/manifest.json`);

const entriesOf = (iam: Iam, type: string) => Object.entries(iam.resources).filter(([, { Type }]) => Type === type);
const all = (iam: Iam, type: string) => entriesOf(iam, type).map(([, { Properties }]) => Properties);

/** What one of the ways gives a function, in words that do not depend on it. */
function deployed(iam: Iam, name: string) {
  const [id, { Properties: properties }] = entriesOf(iam, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === PREFIX + name,
  )!;
  const rights = iam
    .statementsOf(properties.Role)
    .flatMap(({ Effect, Action, Resource = [], Condition }) =>
      [Action].flat().flatMap((action) => [Resource].flat().map((one) => rightOf(Effect, action, one, Condition))),
    );
  const arn = iam.arnOf(id);
  const integrations = entriesOf(iam, 'AWS::ApiGatewayV2::Integration').filter(
    ([, { Properties }]) => Properties.IntegrationUri === arn,
  );
  const targets = integrations.map(([integration]) => `integrations/ref-${integration}`);
  const routes = all(iam, 'AWS::ApiGatewayV2::Route').filter(({ Target }) =>
    targets.includes(Target as unknown as string),
  );
  const schedules = all(iam, 'AWS::Scheduler::Schedule').filter(({ Target }) => Target.Arn === arn);
  const invoke = all(iam, 'AWS::Lambda::EventInvokeConfig').find(({ FunctionName }) => FunctionName === `ref-${id}`);
  const { Description, Handler, MemorySize, Timeout, Runtime, Architectures, RecursiveLoop, VpcConfig } = properties;
  return {
    Description,
    Handler,
    MemorySize,
    Timeout,
    Runtime,
    Architectures,
    RecursiveLoop: RecursiveLoop ?? null,
    isInVpc: VpcConfig !== undefined,
    layers: (properties.Layers ?? []) as string[],
    reserved: properties.ReservedConcurrentExecutions ?? -1,
    isTraced: (properties.TracingConfig as { Mode: string } | undefined)?.Mode === 'Active',
    environment: (properties.Environment as { Variables: object }).Variables,
    rights: [...new Set(rights)].sort(),
    routes: routes
      .map(({ RouteKey, AuthorizationType = 'NONE' }) => `${String(RouteKey)} ${String(AuthorizationType)}`)
      .sort(),
    schedules: schedules.map(inWords).sort(),
    retries: [invoke?.MaximumRetryAttempts ?? 2, invoke?.MaximumEventAgeInSeconds ?? 21_600],
    retention: all(iam, 'AWS::Logs::LogGroup').find(isLogOf(name))?.RetentionInDays,
  };
}

/** A schedule in words. */
const inWords = ({ ScheduleExpression, Target: { Input, RetryPolicy } }: Properties) =>
  `${String(ScheduleExpression)} ${Input} ${JSON.stringify(RetryPolicy)}`;

/** The alarms in words; API and queue are called otherwise in each template. */
const alarmsOf = (iam: Iam) =>
  all(iam, 'AWS::CloudWatch::Alarm')
    .map(({ Tags: _, ...properties }) => properties)
    .map((properties) =>
      JSON.stringify(properties, (name, value: unknown) => (name === 'Value' ? valueOf(value) : value)),
    )
    .sort();
const valueOf = (value: unknown) => (/^ref-|DeadLetter.*\.QueueName$/.test(String(value)) ? '…' : value);

const isLogOf =
  (name: string) =>
  ({ LogGroupName }: Properties) =>
    LogGroupName === `/aws/lambda/${PREFIX}${name}`;

/** Serverless has retries for a check that is on no schedule. */
const ofCheck = (name: string) => name.endsWith('-check') && { retries: [0, 60] };

describe.each(manifest.functions.map(({ name }) => [name]))('%s', (name) => {
  it('the CDK construct deploys what Serverless deploys', () => {
    const one = deployed(serverless, name);

    expect(deployed(cdk, name)).toEqual({ ...one, ...ofCheck(name) });
    expect(one.rights.length).toBeGreaterThan(0);
  });
});

it('the CDK construct deploys no further function or alarm, and only the API may invoke functions', () => {
  for (const type of ['AWS::Lambda::Function', 'AWS::Scheduler::Schedule', 'AWS::ApiGatewayV2::Route']) {
    expect([type, all(cdk, type).length]).toEqual([type, all(serverless, type).length]);
  }
  expect(alarmsOf(cdk)).toEqual(alarmsOf(serverless));
  for (const { Principal, SourceArn } of all(cdk, 'AWS::Lambda::Permission')) {
    expect([Principal, SourceArn !== undefined]).toEqual(['apigateway.amazonaws.com', true]);
  }
});

it('the CDK construct logs calls of the API as Serverless does', () => {
  const formatOf = (iam: Iam) =>
    all(iam, 'AWS::ApiGatewayV2::Stage').map((stage) => (stage.AccessLogSettings as { Format: string }).Format);
  const logsOf = (iam: Iam) =>
    all(iam, 'AWS::Logs::LogGroup').map((log) => `${String(log.LogGroupName)} ${String(log.RetentionInDays)}`);

  expect(formatOf(cdk)).toEqual(formatOf(serverless));
  expect(logsOf(cdk).sort()).toEqual(logsOf(serverless).sort());
});

it("the CDK construct exports the queue, as its alarm's command has it", () => {
  const { Outputs } = read<{ Outputs: Record<string, { Export?: { Name: string } }> }>(`${FOLDER}/cdk.json`);
  const exported = Object.values(Outputs).map((output) => output.Export?.Name);

  expect(exported).toContain(`${PREFIX}SchedulesDeadLetterQueueUrl`);
  expect(alarmsOf(cdk).join()).toContain(`${PREFIX}SchedulesDeadLetterQueueUrl`);
});

describe('wrong parameters', () => {
  const { cdk, terraform, right } =
    read<Record<'cdk' | 'terraform' | 'right', string[] | undefined>>('.build/stack/faults.json');
  const WRONG = [
    ['kmsKeyArn', 'the ARN of a KMS key'],
    ['consumers', 'an integer from 1 to 50'],
    ['consumerMemory', 'an integer from 512 to 3008'],
    ['consumerRate', 'rate(1 minute), rate(5 minutes), … or cron(…)'],
    ['configRefs', 'a list, at most 100; each a configRef: 1 to 64 of a-z, 0-9 and -'],
    ['consumerTargets', 'a list, at most 100; each a function name or ARN'],
    ['logRetentionInDays', 'one of 1, 3, 5, 7, 14, 30'],
    ['monitoring', 'one of off, basic, full'],
  ].map(([name, allowed]) => [name!, `must be ${allowed}`] as const);
  const unknown = ['stream-xad', 'mdm-x*'].map(
    (name) => `operations: ${name} is the name of no function of the manifest`,
  );

  it('the CDK construct names each, and what it must be', () => {
    const named = WRONG.map(([name, must]) => expect.stringContaining(`${name} ${must}`));

    expect(cdk).toEqual([...named, ...unknown]);
  });

  /* Without OpenTofu or Terraform nothing plans. */
  (terraform ? it : it.skip)('the Terraform module names each, and what it must be', () => {
    const named = WRONG.map(([name, must]) => expect.stringContaining(`${variableOf(name)} ${must}`));

    expect(terraform).toEqual([...named, ...unknown.toSorted()]);
    expect(right).toEqual([]);
  });
});

describe('operations: core and a pattern', () => {
  const some = read<{ cdk: Template; terraform: string[] | undefined }>('.build/stack/some.json');
  const small = iamOf(read<Template>('.build/stack/small/package/cloudformation-template-update-stack.json'));
  const namesIn = (iam: Iam) =>
    all(iam, 'AWS::Lambda::Function').map(({ FunctionName }) => String(FunctionName).split('-').slice(3).join('-'));
  const listIn = (iam: Iam) =>
    all(iam, 'AWS::Lambda::Function').flatMap(
      ({ Environment }) => (Environment as { Variables: Record<string, string> }).Variables.CONNECTOR_OPERATIONS ?? [],
    );

  it('the CDK construct deploys the functions that Serverless deploys', () => {
    expect(namesIn(iamOf(some.cdk)).sort()).toEqual(namesIn(small).sort());
    expect(namesIn(small)).toEqual(expect.arrayContaining(['stream-consumer', 'mdm-match']));
    expect(listIn(iamOf(some.cdk))).toEqual(listIn(small));
  });

  (some.terraform ? it : it.skip)('the Terraform module deploys the functions that Serverless deploys', () => {
    expect(some.terraform!.toSorted()).toEqual(namesIn(small).sort());
  });
});

describe('the guides', () => {
  interface Guides {
    cdk: string[];
    terraform: { module: { mdm_stream: Record<string, unknown>[] } };
  }
  const guides = () => read<Guides>('.build/stack/guides.json');

  it("the CDK guide's program deploys every function in a VPC, and lets another function call", () => {
    const { cdk: types } = guides();

    expect(types.filter((type) => type === 'AWS::Lambda::Function')).toHaveLength(manifest.functions.length);
    expect(types).toEqual(expect.arrayContaining(['AWS::EC2::SecurityGroup', 'AWS::IAM::Policy']));
  });

  it("the Terraform guide's call of the module uses declared variables", () => {
    const [given] = guides().terraform.module.mdm_stream;
    const declared = readFileSync('terraform/variables.tf', 'utf8');

    for (const name of Object.keys(given!).filter((name) => name !== 'source')) {
      expect(declared).toContain(`variable "${name}"`);
    }
  });
});

const plan = read<Plan | null>('.build/stack/plan.json');

/* Without OpenTofu or Terraform there is no plan, and the module is only read, below. */
(plan ? describe : describe.skip)('the plan of the Terraform module', () => {
  it.each(manifest.functions.map(({ name }) => [name]))(
    'the Terraform module makes of %s what Serverless makes of it',
    (name) => {
      const { routes: _, ...one } = deployed(serverless, name);

      expect(plannedFunction(plan!, name)).toEqual({ ...one, ...ofCheck(name) });
    },
  );

  it('the Terraform module makes the routes of Serverless, and as many alarms', () => {
    const routes = all(serverless, 'AWS::ApiGatewayV2::Route').map(
      ({ RouteKey, AuthorizationType = 'NONE' }) => `${String(RouteKey)} ${String(AuthorizationType)}`,
    );

    expect(plannedRoutes(plan!)).toEqual(routes.sort());
    expect(plannedOf(plan!, 'aws_cloudwatch_metric_alarm')).toHaveLength(alarmsOf(serverless).length);
  });
});

interface Module {
  locals?: Record<string, string>[];
  resource?: Record<string, Record<string, Record<string, unknown>[]>>;
}

describe('the Terraform module', () => {
  const text = readdirSync('terraform')
    .map((file) => readFileSync(`terraform/${file}`, 'utf8'))
    .join('\n');
  const modules = read<Module[]>('.build/stack/terraform.json');
  const resources: NonNullable<Module['resource']> = {};
  for (const [type, named] of modules.flatMap(({ resource = {} }) => Object.entries(resource))) {
    resources[type] = Object.assign(resources[type] ?? {}, named);
  }

  it('the Terraform module makes a resource for each function, route, schedule and alarm of the manifest', () => {
    const each = Object.fromEntries(
      Object.entries(resources).flatMap(([type, named]) =>
        Object.values(named).flatMap(([one]) => (one!.for_each ? [[type, one!.for_each]] : [])),
      ),
    );

    expect(each).toMatchObject({
      aws_lambda_function: '${local.functions}',
      aws_iam_role_policy: '${local.functions}',
      aws_cloudwatch_log_group: '${local.functions}',
      aws_lambda_function_event_invoke_config: '${local.functions}',
      aws_apigatewayv2_route: '${local.routes}',
      aws_scheduler_schedule: '${local.schedules}',
      aws_cloudwatch_metric_alarm: '${local.alarms}',
    });
  });

  it('the Terraform module configures a function as the manifest says, with rights, environment and network', () => {
    expect(resources.aws_lambda_function!.function![0]).toMatchObject({
      handler: '${each.value.handler}',
      timeout: '${each.value.seconds}',
      runtime: '${local.manifest.runtime}',
      architectures: ['${local.manifest.architecture}'],
      source_code_hash: '${each.value.sha256}',
      filename: '${var.assets}/${each.value.zip}',
      environment: [{ variables: '${merge(flatten([local.variables, each.value.environment, var.environment])...)}' }],
    });
    expect(resources.aws_iam_role_policy!.function![0]!.policy).toContain('local.statements[each.key]');
  });

  it('the Terraform module logs calls of the API, as the manifest says', () => {
    expect(resources.aws_apigatewayv2_stage!.api![0]).toMatchObject({
      access_log_settings: [{ format: '${local.manifest.accessLog}' }],
    });
  });

  it('the Terraform module reads every member of the manifest, and replaces every placeholder', () => {
    const members = [...new Set(manifest.functions.flatMap((one) => Object.keys(one)))].filter(
      (name) => name !== 'name',
    );
    const unread = members.filter((name) => !new RegExp(`(each\\.value|one|metric)\\.${name}\\b`).test(text));
    const placeholders = [
      ...new Set([...JSON.stringify(manifest).matchAll(/\{([a-zA-Z]\w*)\}/g)].map(([whole]) => whole)),
    ];
    const inTexts = placeholders.filter((whole) => !isOnlyDescribed(whole));

    expect(unread).toEqual([]);
    expect(inTexts.filter((whole) => !text.includes(`"${whole}"`))).toEqual([]);
  });

  /** Whether a placeholder occurs only in descriptions. */
  function isOnlyDescribed(placeholder: string): boolean {
    const { functions, needs, environment, schedules, alarms } = manifest;
    return !JSON.stringify([functions, needs, environment, schedules, alarms]).includes(placeholder);
  }

  it('the Terraform module declares exactly the variables that it uses', () => {
    const declared = [...text.matchAll(/^variable "(\w+)"/gm)].map(([, name]) => name!);
    const used = [...new Set([...text.matchAll(/\bvar\.(\w+)/g)].map(([, name]) => name!))];

    expect(used.sort()).toEqual(declared.sort());
  });
});
