import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations, Aws, CfnOutput, CfnResource, Duration, RemovalPolicy, Token } from 'aws-cdk-lib';
import { CfnStage, HttpApi, HttpMethod, type IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { SecurityGroup, type ISecurityGroup, type IVpc, type SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import { PolicyDocument, Role, ServicePrincipal, type IManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Key, type IKey } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  Code,
  Function,
  LayerVersion,
  RecursiveLoop,
  Runtime,
  RuntimeFamily,
  Tracing,
  type ILayerVersion,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Manifest } from '../manifest.schema.ts';

/** The parameters of a deployment. Those of docs/deploy.md have the same names, meanings and defaults. */
export interface MdmStreamFunctionsProps {
  /** Name of the deployment: `prod`. */
  readonly stage: string;
  /** Folder with `manifest.json` and the zips. */
  readonly assets: string;
  /** First part of all names. Default: `mdm-stream`. */
  readonly service?: string;
  /**
   * Names of the operations to deploy; `*` stands for any characters, and `core` for the twelve that most deployments
   * need. Default: every one of the manifest.
   */
  readonly operations?: readonly string[];
  readonly secretPrefix?: string;
  readonly secretTtlMs?: number;
  readonly kmsKeyArn?: string;
  /** Network of the functions that connect to Redis. */
  readonly vpc?: IVpc;
  readonly vpcSubnets?: SubnetSelection;
  /** Default: one for all functions, without inbound rules. */
  readonly securityGroups?: readonly ISecurityGroup[];
  readonly redisIamArns?: readonly string[];
  /** Names or ARNs of functions. */
  readonly consumerTargets?: readonly string[];
  readonly configRefs?: readonly string[];
  readonly consumers?: number;
  readonly consumerRate?: string;
  readonly consumerMemory?: number;
  readonly consumerReservedConcurrency?: number;
  readonly apiReservedConcurrency?: number;
  readonly checkRate?: string;
  readonly httpApi?: boolean;
  /** Who may call the HTTP API. Default: signed requests. */
  readonly authorizer?: IHttpRouteAuthorizer;
  readonly publicDocs?: boolean;
  readonly throttleRate?: number;
  readonly throttleBurst?: number;
  readonly monitoring?: 'off' | 'basic' | 'full';
  readonly alarmTopicArn?: string;
  readonly deadLetterTopicArn?: string;
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';
  readonly logRetentionInDays?: number;
  readonly auditRetentionInDays?: number;
  readonly keepLogs?: boolean;
  readonly logKmsKeyArn?: string;
  readonly tracing?: boolean;
  readonly otelLayerArn?: string;
  readonly layers?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly permissionsBoundary?: IManagedPolicy;
}

type Listed = Manifest['functions'][number];

/** The functions with their roles, logs, schedules, alarms and HTTP API, as `manifest.json` says. */
export class MdmStreamFunctions extends Construct {
  /** The HTTP API; undefined without one. */
  readonly api: HttpApi | undefined;
  /** The security group of functions in the VPC, if none was given: allow it to connect to Redis. */
  readonly securityGroup: ISecurityGroup | undefined;
  readonly #props: MdmStreamFunctionsProps;
  readonly #manifest: Manifest;
  readonly #values: Readonly<Record<string, string>>;
  readonly #layers: ILayerVersion[];
  readonly #logKey: IKey | undefined;
  /** The names of the functions to deploy. */
  readonly #names: ReadonlySet<string>;
  readonly #functions = new Map<string, Function>();

  constructor(scope: Construct, id: string, props: MdmStreamFunctionsProps) {
    super(scope, id);
    this.#props = props;
    this.#manifest = JSON.parse(readFileSync(join(props.assets, 'manifest.json'), 'utf8')) as Manifest;
    const { core, functions } = this.#manifest;
    const named = (props.operations ?? ['*']).flatMap((name) => (name === 'core' ? core : [name]));
    const operations = [...new Set(named)];
    const unknown = operations.filter((pattern) => !functions.some(({ name }) => fits(pattern, name)));
    const faults = [
      ...faultsOf(props, this.#manifest),
      ...unknown.map((name) => `operations: ${name} is the name of no function of the manifest`),
    ];
    if (faults.length > 0) throw new Error(`The properties are invalid:\n- ${faults.join('\n- ')}`);
    this.#values = { ...valuesOf(props, this.#manifest), operations: operations.join(',') };
    this.#layers = this.#layerArns().map((arn, at) => LayerVersion.fromLayerVersionArn(this, `layer-${at + 1}`, arn));
    const { vpc, securityGroups, logKmsKeyArn, httpApi = true } = props;
    this.#logKey = logKmsKeyArn === undefined ? undefined : Key.fromKeyArn(this, 'LogKey', logKmsKeyArn);
    if (vpc && !securityGroups) this.securityGroup = new SecurityGroup(this, 'SecurityGroup', { vpc });
    const deployed = functions.filter(
      ({ name, isDocument }) => operations.some((pattern) => fits(pattern, name)) && (httpApi || !isDocument),
    );
    this.#names = new Set(deployed.map(({ name }) => name));
    for (const listed of deployed) this.#functions.set(listed.name, this.#function(listed));
    if (httpApi) this.api = this.#api(deployed);
    const queue = this.#schedules();
    if (props.monitoring !== 'off') this.#alarms(queue);
  }

  /** A function by its name: `fn('stream-xadd').grantInvoke(role)`. */
  fn(name: string): Function {
    const found = this.#functions.get(name);
    if (!found) throw new Error(`${name} is not deployed`);
    return found;
  }

  #function(listed: Listed): Function {
    const { vpc, vpcSubnets, securityGroups, assets, tracing, auditRetentionInDays = 400 } = this.#props;
    const { name, description, zip, handler, seconds, memoryFrom = '', reservedFrom = '' } = listed;
    const reserved = this.#values[reservedFrom];
    const functionName = this.#name(name);
    const isInVpc = vpc !== undefined && listed.needs.includes('network');
    const logGroup = this.#logGroup(
      `${name}-log`,
      `/aws/lambda/${functionName}`,
      listed.isAudited ? auditRetentionInDays : 0,
    );
    return new Function(this, name, {
      functionName,
      description,
      handler,
      logGroup,
      memorySize: Number(this.#values[memoryFrom] ?? listed.memory),
      ...(reserved !== undefined && { reservedConcurrentExecutions: Number(reserved) }),
      layers: this.#layers,
      timeout: Duration.seconds(seconds),
      runtime: new Runtime(this.#manifest.runtime, RuntimeFamily.NODEJS),
      architecture: Architecture.custom(this.#manifest.architecture),
      code: Code.fromAsset(join(assets, zip)),
      environment: this.#environmentOf(listed),
      role: this.#role(name, 'lambda.amazonaws.com', this.#statementsOf(listed)),
      ...(isInVpc && { vpc, vpcSubnets, securityGroups: [...(securityGroups ?? [this.securityGroup!])] }),
      tracing: tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      retryAttempts: listed.retries,
      maxEventAge: Duration.seconds(listed.maxAgeSeconds),
      ...(listed.isRecursive && { recursiveLoop: RecursiveLoop.ALLOW }),
    });
  }

  /** @param leastDays how long it is kept at least */
  #logGroup(id: string, logGroupName: string, leastDays = 0): LogGroup {
    const { logRetentionInDays = 30, keepLogs = this.#props.stage !== 'dev' } = this.#props;
    return new LogGroup(this, id, {
      logGroupName,
      retention: Math.max(logRetentionInDays, leastDays),
      ...(this.#logKey && { encryptionKey: this.#logKey }),
      removalPolicy: keepLogs ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
  }

  /** The ARNs of layers: each the value, or the values, of a parameter. */
  #layerArns(): string[] {
    const { otelLayerArn, layers = [] } = this.#props;
    const arns: Record<string, readonly string[]> = {
      '{otelLayerArn}': otelLayerArn === undefined ? [] : [otelLayerArn],
      '{layers}': layers,
    };
    return this.#manifest.layers.flatMap((text) => arns[text] ?? []);
  }

  #environmentOf({ environment }: Listed): Record<string, string> {
    const isGiven = ({ when, contains = '', beside }: Manifest['environment'][number]) =>
      (when === undefined || this.#values[when]?.includes(contains)) && this.#isBeside(beside);
    const ofAll = this.#manifest.environment.filter(isGiven).map(({ name, value }) => [name, value]);
    const filled = this.#fillAll({ ...(Object.fromEntries(ofAll) as Record<string, string>), ...environment });
    return { ...filled, ...this.#props.environment };
  }

  /** A role with these rights, which nothing adds others to. */
  #role(name: string, service: string, Statement: object[], principal = new ServicePrincipal(service)) {
    const { permissionsBoundary } = this.#props;
    const role = new Role(this, `${name}-role`, {
      assumedBy: principal,
      description: `What ${name} may do`,
      ...(permissionsBoundary && { permissionsBoundary }),
      inlinePolicies: { needs: PolicyDocument.fromJson({ Version: '2012-10-17', Statement }) },
    });
    return role.withoutPolicyUpdates();
  }

  #statementsOf({ name, needs }: Listed): object[] {
    const parameters: Record<string, unknown> = { ...this.#props, vpcSubnetIds: this.#props.vpc };
    const needed = needs
      .map((need) => this.#manifest.needs[need]!)
      .filter(({ when, beside }) => (!when || parameters[when]) && this.#isBeside(beside));
    return needed.flatMap(({ statements }) =>
      statements.map(({ Resource, Condition, ...statement }) => ({
        ...statement,
        Resource: [Resource].flat().flatMap((text) => this.#fillEach(text.replaceAll('{function}', name))),
        ...(Condition && { Condition: this.#fillConditions(Condition, name) }),
      })),
    );
  }

  /** Whether a function is deployed, if one is named. */
  #isBeside(name: string | undefined): boolean {
    return name === undefined || this.#names.has(name);
  }

  #fillConditions(conditions: Record<string, Record<string, string>>, name: string): object {
    const filled = Object.entries(conditions).map(([operator, keys]) => {
      const texts = Object.entries(keys).map(([key, text]) => [key, this.#fill(text.replaceAll('{function}', name))]);
      return [operator, Object.fromEntries(texts) as object];
    });
    return Object.fromEntries(filled) as object;
  }

  #api(deployed: readonly Listed[]): HttpApi {
    const { authorizer = new HttpIamAuthorizer(), publicDocs = false } = this.#props;
    const { throttleRate = 100, throttleBurst = 200 } = this.#props;
    const api = new HttpApi(this, 'Api', { apiName: this.#name('api') });
    const stage = api.defaultStage!.node.defaultChild as CfnStage;
    stage.defaultRouteSettings = { throttlingRateLimit: throttleRate, throttlingBurstLimit: throttleBurst };
    const log = this.#logGroup('api-log', `/aws/http-api/${this.#deployment}`);
    stage.accessLogSettings = { destinationArn: log.logGroupArn, format: this.#manifest.accessLog };
    for (const { name, routes, isDocument } of deployed.filter(({ routes }) => routes.length > 0)) {
      const integration = new HttpLambdaIntegration(name, this.fn(name));
      for (const route of routes) {
        const [method, path] = route.split(' ') as [HttpMethod, string];
        const isOpen = isDocument && publicDocs && path !== '/{proxy+}';
        api.addRoutes({ path, methods: [method], integration, ...(!isOpen && { authorizer }) });
      }
    }
    return api;
  }

  /** The schedules, and the queue of what they could not start. */
  #schedules(): Queue | undefined {
    const { configRefs = ['default'], checkRate } = this.#props;
    const wanted = this.#manifest.schedules.filter(
      ({ function: name, when }) => this.#functions.has(name) && (!when || checkRate !== undefined),
    );
    if (wanted.length === 0) return undefined;
    const queue = new Queue(this, 'ScheduleDeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    // the description of its alarm finds it so
    const exportName = this.#name('SchedulesDeadLetterQueueUrl');
    new CfnOutput(this, 'SchedulesDeadLetterQueueUrl', { value: queue.queueUrl, exportName });
    const GroupName = this.#deployment;
    const group = new CfnResource(this, 'Schedules', {
      type: 'AWS::Scheduler::ScheduleGroup',
      properties: { Name: GroupName },
    });
    const scheduler = new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: {
        StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
        ArnEquals: { 'aws:SourceArn': group.getAtt('Arn').toString() },
      },
    });
    const invoked = [...new Set(wanted.map(({ function: name }) => this.fn(name).functionArn))];
    const statements = [
      { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: invoked },
      { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queue.queueArn },
    ];
    const role = this.#role('schedules', '', statements, scheduler);
    for (const { function: name, rate, copies, input, retries, maxAgeSeconds } of wanted) {
      for (const configRef of configRefs) {
        for (let copy = 1; copy <= Number(this.#fill(copies)); copy++) {
          const schedule = new CfnResource(this, `${name}-${configRef}-${copy}`, {
            type: 'AWS::Scheduler::Schedule',
            properties: {
              GroupName,
              ScheduleExpression: this.#fill(rate),
              FlexibleTimeWindow: { Mode: 'OFF' },
              Target: {
                Arn: this.fn(name).functionArn,
                RoleArn: role.roleArn,
                Input: JSON.stringify(input).replaceAll('{configRef}', configRef),
                RetryPolicy: { MaximumRetryAttempts: retries, MaximumEventAgeInSeconds: maxAgeSeconds },
                DeadLetterConfig: { Arn: queue.queueArn },
              },
            },
          });
          schedule.addResourceDependency(group);
        }
      }
    }
    return queue;
  }

  #alarms(queue: Queue | undefined): void {
    const { alarmTopicArn, configRefs = ['default'] } = this.#props;
    const situation: Record<string, string> = {
      ...this.#values,
      configRefs: configRefs.length > 1 ? 'several' : 'one',
    };
    const parts: Record<string, string | undefined> = { HttpApi: this.api?.apiId, Queue: queue?.queueName };
    const actions = alarmTopicArn && { AlarmActions: [alarmTopicArn], OKActions: [alarmTopicArn] };
    for (const { name, beside, only = {}, properties } of this.#manifest.alarms) {
      const text = JSON.stringify(properties);
      const isFor = Object.entries(only).every(([parameter, values]) => values.includes(situation[parameter] ?? ''));
      const isWhole = Object.entries(parts).every(
        ([part, value]) => value !== undefined || !text.includes(`{${part}}`),
      );
      const isBeside = beside === undefined || beside.some((one) => this.#isBeside(one));
      if (!isFor || !isWhole || !isBeside) continue;
      for (const configRef of text.includes('{configRef}') ? configRefs : [undefined]) {
        const filled = this.#fillAlarm(properties, { ...parts, configRef }) as object;
        new CfnResource(this, configRef === undefined ? name : `${name}-${configRef}`, {
          type: 'AWS::CloudWatch::Alarm',
          properties: { ...filled, ...actions },
        });
      }
    }
    for (const rate of ['consumerRate', 'checkRate']) this.#warnWithoutAlarms(rate);
  }

  /** The properties of an alarm, filled at any depth. */
  #fillAlarm(value: unknown, parts: Readonly<Record<string, string | undefined>>): unknown {
    if (typeof value === 'string')
      return this.#fill(value.replace(/\{(\w+)\}/g, (whole, part: string) => parts[part] ?? whole));
    if (Array.isArray(value)) return value.map((item) => this.#fillAlarm(item, parts));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#fillAlarm(inner, parts)]));
  }

  /** How long alarms look back depends on the rates, and the manifest has them for the usual ones. */
  #warnWithoutAlarms(parameter: string): void {
    const given = this.#values[parameter];
    const rates = [...new Set(this.#manifest.alarms.flatMap(({ only }) => only?.[parameter] ?? []))];
    if (given === undefined || rates.includes(given)) return;
    const message = `No alarm watches what runs at ${parameter} ${given}. Choose one of ${rates.join(', ')}, or add yours.`;
    Annotations.of(this).addWarningV2(`mdm-stream-functions:${parameter}`, message);
  }

  get #deployment(): string {
    return `${this.#values.service!}-${this.#values.stage!}`;
  }

  #name(name: string): string {
    return `${this.#deployment}-${name}`;
  }

  #fill(text: string): string {
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => this.#values[name] ?? whole);
  }

  #fillAll(texts: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, this.#fill(text)]));
  }

  /** A text, once for each value of the list that it names. */
  #fillEach(text: string): string[] {
    const { redisIamArns = [], consumerTargets = [`${this.#name('target-*')}`] } = this.#props;
    const lists = { '{redisIamArns}': redisIamArns, '{consumerTargets}': consumerTargets };
    const [list, items] = Object.entries(lists).find(([list]) => text.includes(list)) ?? ['', ['']];
    return items.map((item) => {
      const from = item.startsWith('arn:') ? text.slice(text.indexOf(list)) : text;
      return this.#fill(from.replace(list, item));
    });
  }
}

/** Whether a function's name matches a pattern, in which `*` stands for any characters. */
function fits(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/\W/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

/** Each property with a value that its parameter cannot have. */
function faultsOf(props: MdmStreamFunctionsProps, { parameters }: Manifest): string[] {
  const given = props as object as Readonly<Record<string, unknown>>;
  return parameters
    .filter((parameter) => isWrong(given[parameter.name], parameter))
    .map(({ name, allowed }) => `${name} must be ${allowed}`);
}

/** Values that are known at deployment only pass, and so do objects of the CDK that stand for a text. */
function isWrong(value: unknown, parameter: Manifest['parameters'][number]): boolean {
  const { pattern, minimum, maximum, default: standard } = parameter;
  if (Token.isUnresolved(value)) return false;
  if (Array.isArray(value)) {
    const isNone = value.length === 0 && standard !== undefined;
    return isNone || value.some((one) => isWrong(one, parameter));
  }
  if (typeof value === 'number' && minimum !== undefined && maximum !== undefined)
    return !Number.isInteger(value) || value < minimum || value > maximum;
  const isScalar = typeof value === 'string' || typeof value === 'number';
  return isScalar && pattern !== undefined && !new RegExp(pattern, 'u').test(String(value));
}

/** Values of the placeholders: those given, the defaults of the manifest, and AWS' own. */
function valuesOf(props: MdmStreamFunctionsProps, { parameters }: Manifest): Record<string, string> {
  const names = { service: props.service ?? 'mdm-stream', stage: props.stage };
  const inNames = (text: string) => text.replace('{service}', names.service).replace('{stage}', names.stage);
  const defaults = parameters.flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, inNames(value)]],
  );
  const texts = Object.entries(props).filter(([, value]) => ['string', 'number'].includes(typeof value));
  return {
    ...(Object.fromEntries(defaults) as Record<string, string>),
    ...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])),
    ...names,
    partition: Aws.PARTITION,
    region: Aws.REGION,
    account: Aws.ACCOUNT_ID,
    urlSuffix: Aws.URL_SUFFIX,
  };
}
