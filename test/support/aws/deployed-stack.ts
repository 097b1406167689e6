import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { commitOfCheckout } from '#deploy/commit.ts';
import { resourcesOf } from '#deploy/template.ts';
import { deployedFunctions } from '#deploy/functions.ts';
import { functionLogicalId, functionName } from '#deploy/names.ts';
import { readParameters } from '#deploy/read-parameters.ts';
import { METADATA } from '#deploy/deployed-parameters.ts';
import { listen } from '#sandbox/network/listen.ts';

/*
 * A deployed stack, as CloudFormation, EventBridge Scheduler, CloudWatch, SQS, SNS, IAM and Lambda tell it on loopback,
 * for
 * `AWS_ENDPOINT_URL`. Its template is that of the deployment with these parameters.
 */

const ACCOUNT = '123456789012';
const REGION = 'eu-central-1';
const SERVICE = 'mdm-stream';
export const TOPIC = `arn:aws:sns:${REGION}:${ACCOUNT}:alarms`;

/** The template of a stack whose first deployment was rolled back. */
export const BUCKET_ALONE = { Resources: { ServerlessDeploymentBucket: { Type: 'AWS::S3::Bucket', Properties: {} } } };

/** What tests change of the world. */
export interface StackWorld {
  stackStatus: string;
  /** What the stack's template holds: all, the deployment's bucket alone, or nothing. */
  template: 'whole' | 'bucket' | 'none';
  createdAt: Date;
  /** The deployed commit, as the template holds it. */
  commit: string | undefined;
  /** States of schedules, by their logical ids; those that are not named have that of the template. */
  schedules: Record<string, 'DISABLED' | 'DELETED'>;
  /** How long ago each function last ran, in milliseconds, by name; others ran a minute ago. */
  ranMsAgo: Record<string, number | undefined>;
  /** Operations whose role may not invoke the consumer. */
  denied: readonly string[];
  reservedConcurrency: number | undefined;
  /** Messages in the dead-letter queue of the schedules. */
  letters: number;
  /** States of alarms, by their logical ids; others are OK. */
  alarms: Record<string, 'ALARM' | 'DELETED' | 'SILENT'>;
  /** Subscriptions of the topic, confirmed or not; undefined if it does not exist. */
  subscriptions: readonly boolean[] | undefined;
  /** An action that AWS denies: `cloudwatch:DescribeAlarms`. */
  refused: string | undefined;
  /** Gives the output of a function. */
  invoke: (name: string, payload: unknown) => Promise<unknown>;
}

const HOUR_MS = 3_600_000;

/** A stack that is as it should be. */
export const healthyStack = (): StackWorld => ({
  stackStatus: 'UPDATE_COMPLETE',
  template: 'whole',
  createdAt: new Date(Date.now() - 100 * HOUR_MS),
  commit: commitOfCheckout(),
  schedules: {},
  ranMsAgo: {},
  denied: [],
  reservedConcurrency: undefined,
  letters: 0,
  alarms: {},
  subscriptions: [true],
  refused: undefined,
  invoke: () => Promise.resolve({ statusCode: 200, body: JSON.stringify({ ok: true, checks: [PASSED] }) }),
});

const PASSED = { name: 'secret', status: 'passed', ms: 1, detail: 'Valid' };

export interface DeployedStackEndpoint {
  readonly url: string;
  readonly world: StackWorld;
  close(): Promise<void>;
}

/** Answers as a stack of the stage `prod` with these parameters does. */
export async function startDeployedStack(
  file: Record<string, unknown>,
  initial: () => StackWorld,
): Promise<DeployedStackEndpoint & { reset(): void }> {
  const stack = new DeployedStack(file, initial());
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { status = 200, type = 'application/json', reply } = await stack.answer(request, body);
      response.writeHead(status, { 'content-type': type }).end(reply);
    });
  });
  const { url, close } = await listen(server);
  return { url, close, world: stack.world, reset: () => void Object.assign(stack.world, initial()) };
}

interface Answer {
  status?: number;
  type?: string;
  reply: string;
}

interface Template {
  Metadata: Record<string, object>;
  Resources: Record<string, { Type: string; Properties: object }>;
}

class DeployedStack {
  readonly world: StackWorld;
  readonly #template: Template;

  constructor(file: Record<string, unknown>, world: StackWorld) {
    this.world = world;
    const deployment = readParameters({ service: SERVICE, stage: 'prod', commandLine: [], file, blocks: {} });
    const { Metadata, Resources } = resourcesOf(deployment) as Template;
    const functions = deployedFunctions(deployment).map(
      ({ name }) => [functionLogicalId(name), { Type: 'AWS::Lambda::Function', Properties: {} }] as const,
    );
    this.#template = { Metadata, Resources: { ...Resources, ...Object.fromEntries(functions) } };
  }

  async answer(request: IncomingMessage, body: string): Promise<Answer> {
    const form = new URLSearchParams(body);
    const path = request.url ?? '';
    const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
    const action = target ?? form.get('Action') ?? path;
    const refused = this.world.refused?.split(':')[1];
    if (refused !== undefined && action === refused) return denial(this.world.refused ?? '', target !== undefined);
    if (path.startsWith('/schedules')) return json(this.#schedules());
    const [, name = '', what] = /\/functions\/mdm-stream-prod-([^/]+)\/(\w+)/.exec(path) ?? [];
    if (what === 'invocations') return json(await this.world.invoke(name, JSON.parse(body) as unknown));
    if (what === 'concurrency') return json({ ReservedConcurrentExecutions: this.world.reservedConcurrency });
    if (what === 'configuration') return json(this.#configuration(name));
    if (action === 'DescribeAlarms') return json(this.#alarms(JSON.parse(body) as { AlarmNames: string[] }));
    if (action === 'GetMetricData') return json(this.#metrics(JSON.parse(body) as MetricRequest));
    if (action === 'GetQueueAttributes')
      return json({ Attributes: { ApproximateNumberOfMessages: String(this.world.letters) } });
    return this.#query(action, form);
  }

  #query(action: string, form: URLSearchParams): Answer {
    switch (action) {
      case 'GetTemplate':
        return xml(action, `<TemplateBody>${this.#templateBody()}</TemplateBody>`);
      case 'DescribeStacks':
        return xml(
          action,
          `<Stacks><member><StackName>mdm-stream-prod</StackName><CreationTime>${this.world.createdAt.toISOString()}</CreationTime><StackStatus>${this.world.stackStatus}</StackStatus></member></Stacks>`,
        );
      case 'ListStackResources':
        return xml(
          action,
          `<StackResourceSummaries>${Object.keys(this.#template.Resources)
            .map(
              (id) =>
                `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${physicalId(id)}</PhysicalResourceId></member>`,
            )
            .join('')}</StackResourceSummaries>`,
        );
      case 'SimulatePrincipalPolicy':
        return xml(
          action,
          `<EvaluationResults><member><EvalActionName>lambda:InvokeFunction</EvalActionName><EvalDecision>${this.#decision(form)}</EvalDecision></member></EvaluationResults>`,
        );
      case 'ListSubscriptionsByTopic':
        return this.#subscriptions(action);
      default:
        throw new Error(`No answer to ${action}`);
    }
  }

  #templateBody(): string {
    const { commit, template } = this.world;
    if (template === 'none') return '';
    const Metadata = { [METADATA]: { ...this.#template.Metadata[METADATA], commit } };
    return escaped(JSON.stringify(template === 'bucket' ? BUCKET_ALONE : { ...this.#template, Metadata }));
  }

  #schedules(): object {
    const all = Object.entries(this.#template.Resources).filter(([, { Type }]) => Type === 'AWS::Scheduler::Schedule');
    const rows = all.map(([id, { Properties }]) => {
      const { State = 'ENABLED' } = Properties as { State?: string };
      return { Name: physicalId(id), State: this.world.schedules[id] ?? State };
    });
    return { Schedules: rows.filter(({ State }) => State !== 'DELETED') };
  }

  #configuration(name: string): object {
    return {
      FunctionName: functionName({ service: SERVICE, stage: 'prod' }, name),
      FunctionArn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:mdm-stream-prod-${name}`,
      Role: `arn:aws:iam::${ACCOUNT}:role/${name}`,
      Environment: { Variables: { CONNECTOR_CONSUMER_FUNCTION: 'mdm-stream-prod-stream-consumer' } },
    };
  }

  #decision(form: URLSearchParams): string {
    const [, name = ''] = /role\/(.*)$/.exec(form.get('PolicySourceArn') ?? '') ?? [];
    return this.world.denied.includes(name) ? 'implicitDeny' : 'allowed';
  }

  #alarms({ AlarmNames }: { AlarmNames: string[] }): object {
    const ids = Object.keys(this.#template.Resources).filter((id) => AlarmNames.includes(physicalId(id)));
    const known = ids.filter((id) => this.world.alarms[id] !== 'DELETED');
    const MetricAlarms = known.map((id) => {
      const { AlarmDescription } = this.#template.Resources[id]!.Properties as { AlarmDescription: string };
      const state = this.world.alarms[id];
      return {
        AlarmName: physicalId(id),
        AlarmDescription,
        ActionsEnabled: state !== 'SILENT',
        StateValue: state === 'ALARM' ? 'ALARM' : 'OK',
      };
    });
    return { MetricAlarms };
  }

  /** One value a minute, of the last run alone. CloudWatch names a period by its start. */
  #metrics({ MetricDataQueries, StartTime }: MetricRequest): object {
    const MetricDataResults = MetricDataQueries.map(({ Id, MetricStat: { Metric } }) => {
      const values = Metric.Dimensions.map(({ Value }) => Value.replace('mdm-stream-prod-', ''));
      const name = values.join(' ');
      const agoMs = name in this.world.ranMsAgo ? this.world.ranMsAgo[name] : 60_000;
      const at = agoMs === undefined ? -1 : Math.floor((Date.now() - agoMs) / 60_000) * 60;
      return at < StartTime ? { Id, Timestamps: [], Values: [] } : { Id, Timestamps: [at], Values: [1] };
    });
    return { MetricDataResults };
  }

  #subscriptions(action: string): Answer {
    const { subscriptions } = this.world;
    if (!subscriptions) return fault('NotFound', 'Topic does not exist', 404);
    const members = subscriptions.map(
      (isConfirmed, at) =>
        `<member><SubscriptionArn>${isConfirmed ? `${TOPIC}:${at}` : 'PendingConfirmation'}</SubscriptionArn><Protocol>email</Protocol><TopicArn>${TOPIC}</TopicArn></member>`,
    );
    return xml(action, `<Subscriptions>${members.join('')}</Subscriptions>`);
  }
}

interface MetricRequest {
  StartTime: number;
  MetricDataQueries: { Id: string; MetricStat: { Metric: { Dimensions: { Name: string; Value: string }[] } } }[];
}

/** The id in AWS; that of a queue is its URL. */
const physicalId = (id: string) =>
  id === 'SchedulesDeadLetterQueue'
    ? `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/dead`
    : `mdm-stream-prod-${id}-1A2B`;

const json = (value: unknown): Answer => ({ type: 'application/x-amz-json-1.0', reply: JSON.stringify(value) });

const xml = (action: string, result: string): Answer => ({
  type: 'text/xml',
  reply: `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`,
});

const fault = (code: string, message: string, status: number): Answer => ({
  status,
  type: 'text/xml',
  reply: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

function denial(right: string, isJson: boolean): Answer {
  const message = `User: arn:aws:iam::${ACCOUNT}:user/me is not authorized to perform: ${right} because no policy allows it`;
  if (!isJson) return fault('AccessDenied', message, 403);
  const reply = JSON.stringify({ __type: 'AccessDeniedException', message });
  return { status: 400, type: 'application/x-amz-json-1.0', reply };
}

const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
